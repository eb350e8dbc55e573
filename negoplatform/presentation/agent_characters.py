"""Characters that represent agents; none looks friendlier than another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from negoplatform.domain.agent_appearance import character_key


@dataclass(frozen=True, slots=True)
class Character:
    """Appearance of a character, apart from the expression.

    Args:
        skin: Colour of the face.
        shade: Colour of the neck, the nose and the lids.
        blush: Colour of blushing cheeks.
        lips: Colour of the lips.
        hair: Colour of the hair.
        brows: Colour of the brows and the lashes.
        iris: Colour of the eyes.
        style: Hairstyle, a key of ``bust.HAIR_STYLES``.
        clothes: Clothes, a key of ``bust.CLOTHES``.
        cloth: Colour of the clothes.
        trim: Colour of the collar, seams or shirt.
        backdrop: Colours of the background, top and bottom.
        width: Half the width of the head, as a share of the picture.
        jaw: Shape of the jaw, from round, 0, to narrow, 1.
        glasses: Colour of the glasses; empty without glasses.
        beard: Colour of the beard; empty without a beard.
        freckles: Whether there are freckles.
        earrings: Colour of the earrings; empty without earrings.
    """

    skin: str
    shade: str
    blush: str
    lips: str
    hair: str
    brows: str
    iris: str
    style: str
    clothes: str
    cloth: str
    trim: str
    backdrop: tuple[str, str]
    width: float = 0.2
    jaw: float = 0.5
    glasses: str = ""
    beard: str = ""
    freckles: bool = False
    earrings: str = ""


CHARACTERS: Mapping[str, Character] = {
    "rowan": Character(
        skin="#f2c9a5",
        shade="#dfa680",
        blush="#ee8a72",
        lips="#b4584f",
        hair="#3b2f4a",
        brows="#3b2f4a",
        iris="#5b4334",
        style="fringe",
        clothes="v_neck",
        cloth="#3056c9",
        trim="#2746a8",
        backdrop=("#dfe9ff", "#c3d4fb"),
    ),
    "ariel": Character(
        skin="#e0ac7e",
        shade="#c58b5e",
        blush="#d9705a",
        lips="#a5483f",
        hair="#5a3622",
        brows="#43281a",
        iris="#4a6b46",
        style="long",
        clothes="crew",
        cloth="#2f7d6b",
        trim="#25665a",
        backdrop=("#fdf0dc", "#f4dbb4"),
        width=0.193,
        jaw=0.7,
        glasses="#2f3a4d",
    ),
    "noa": Character(
        skin="#96623f",
        shade="#77492d",
        blush="#b0493c",
        lips="#5a1f20",
        hair="#231a1c",
        brows="#1d1416",
        iris="#2a1a12",
        style="curls",
        clothes="turtleneck",
        cloth="#d9982a",
        trim="#b97d18",
        backdrop=("#e3f3ec", "#bfe3d3"),
        width=0.195,
        jaw=0.55,
    ),
    "kim": Character(
        skin="#f4d3b3",
        shade="#dfb18b",
        blush="#ef8f7e",
        lips="#b8504f",
        hair="#1f2029",
        brows="#2a2a33",
        iris="#33251d",
        style="bob",
        clothes="cardigan",
        cloth="#c8564f",
        trim="#f4efe8",
        backdrop=("#ece7fb", "#d3c8f3"),
        width=0.198,
        jaw=0.6,
    ),
    "robin": Character(
        skin="#f7d6c0",
        shade="#e5ae92",
        blush="#f08573",
        lips="#c05a52",
        hair="#b5532a",
        brows="#8c3d1e",
        iris="#3f6f8f",
        style="bun",
        clothes="hoodie",
        cloth="#2b7a8c",
        trim="#dff1f3",
        backdrop=("#fde9e2", "#f6cfc2"),
        width=0.195,
        jaw=0.5,
        freckles=True,
        earrings="#f2c14e",
    ),
    "jules": Character(
        skin="#a8714a",
        shade="#885636",
        blush="#bb5a45",
        lips="#7c3a33",
        hair="#2a2020",
        brows="#241b1b",
        iris="#2f1e15",
        style="cropped",
        clothes="shirt",
        cloth="#8a3550",
        trim="#a24a66",
        backdrop=("#e6edf2", "#c7d5e0"),
        width=0.203,
        jaw=0.25,
        glasses="#3a2a22",
        beard="#33272a",
    ),
    "sasha": Character(
        skin="#f0cbb0",
        shade="#d8a585",
        blush="#e58673",
        lips="#b0605a",
        hair="#b9bec8",
        brows="#7d838f",
        iris="#4f7396",
        style="swept",
        clothes="blazer",
        cloth="#3a4660",
        trim="#f3f5f9",
        backdrop=("#e2f0f7", "#bfdcea"),
        width=0.2,
        jaw=0.4,
    ),
    "tal": Character(
        skin="#cf9a6c",
        shade="#b07a4e",
        blush="#cf6a52",
        lips="#9a4a40",
        hair="#3a271d",
        brows="#2f1f17",
        iris="#57402c",
        style="waves",
        clothes="crew",
        cloth="#66744a",
        trim="#525e3a",
        backdrop=("#f1efe4", "#dbd6bd"),
        width=0.2,
        jaw=0.3,
        beard="#8f6444",
    ),
    "mika": Character(
        skin="#85563a",
        shade="#673e28",
        blush="#97403a",
        lips="#431312",
        hair="#1b1517",
        brows="#150f10",
        iris="#20130d",
        style="braids",
        clothes="v_neck",
        cloth="#7a4fb0",
        trim="#653f96",
        backdrop=("#fbf3d6", "#f0dfa2"),
        width=0.192,
        jaw=0.6,
        earrings="#e9e3d2",
    ),
    "alex": Character(
        skin="#b98257",
        shade="#98643d",
        blush="#c4634e",
        lips="#8a4038",
        hair="#2d2320",
        brows="#2a1f1b",
        iris="#4a3320",
        style="swept",
        clothes="hoodie",
        cloth="#4c72c8",
        trim="#dfe6f6",
        backdrop=("#fbeadb", "#f4d3b8"),
        width=0.199,
        jaw=0.35,
    ),
    "maya": Character(
        skin="#b47c52",
        shade="#935f3a",
        blush="#c05d49",
        lips="#86393a",
        hair="#26191b",
        brows="#211517",
        iris="#3a2416",
        style="long",
        clothes="v_neck",
        cloth="#c23f6b",
        trim="#a32f57",
        backdrop=("#eef6e6", "#d2e6c0"),
        width=0.192,
        jaw=0.65,
        earrings="#f2c14e",
    ),
    "viktor": Character(
        skin="#eec3a2",
        shade="#dba785",
        blush="#e8866f",
        lips="#a9564d",
        hair="#55504d",
        brows="#4a4542",
        iris="#4d7688",
        style="cropped",
        clothes="blazer",
        cloth="#1f3a31",
        trim="#eef2ee",
        backdrop=("#d3c4ae", "#b49f82"),
        width=0.206,
        jaw=0.15,
        beard="#6a615b",
    ),
    "noor": Character(
        skin="#c98f63",
        shade="#a97046",
        blush="#cb6550",
        lips="#8f4340",
        hair="#3a2530",
        brows="#2c1b24",
        iris="#2f4a3a",
        style="bob",
        clothes="turtleneck",
        cloth="#3d6fa8",
        trim="#315a8a",
        backdrop=("#fdeee9", "#f5d3c9"),
        width=0.196,
        jaw=0.6,
        glasses="#7a3b3b",
    ),
    "jonas": Character(
        skin="#f7dcc6",
        shade="#e4b698",
        blush="#ee8d78",
        lips="#b25a52",
        hair="#e2bd74",
        brows="#b08d4a",
        iris="#5585a8",
        style="waves",
        clothes="shirt",
        cloth="#21395c",
        trim="#1a2e4c",
        backdrop=("#84b98c", "#5f9a69"),
        width=0.201,
        jaw=0.35,
        freckles=True,
    ),
    "elena": Character(
        skin="#d2a077",
        shade="#b27d54",
        blush="#e27c66",
        lips="#b24a4c",
        hair="#3b1c20",
        brows="#331a1d",
        iris="#5a4a2a",
        style="bun",
        clothes="blazer",
        cloth="#8b4f9b",
        trim="#efe4f4",
        backdrop=("#a3cfd4", "#74b0b8"),
        width=0.194,
        jaw=0.6,
        earrings="#cfd6de",
    ),
    "marco": Character(
        skin="#c68d62",
        shade="#a66e46",
        blush="#c7614c",
        lips="#8c4038",
        hair="#1f1a1c",
        brows="#1b1618",
        iris="#3b2718",
        style="swept",
        clothes="turtleneck",
        cloth="#2b333d",
        trim="#222a33",
        backdrop=("#fbe9dc", "#f1cdb2"),
        width=0.203,
        jaw=0.25,
        beard="#241c1d",
    ),
    "iris": Character(
        skin="#f6d7c3",
        shade="#e2b093",
        blush="#f08f80",
        lips="#c25b60",
        hair="#dcb878",
        brows="#b08d58",
        iris="#6a8f5a",
        style="braids",
        clothes="cardigan",
        cloth="#2c5a4d",
        trim="#f4efe6",
        backdrop=("#c5b9ec", "#a292d8"),
        width=0.194,
        jaw=0.55,
    ),
    "quinn": Character(
        skin="#7d4e36",
        shade="#5f3823",
        blush="#9c443c",
        lips="#43161a",
        hair="#17120f",
        brows="#120d0b",
        iris="#1d120c",
        style="cropped",
        clothes="hoodie",
        cloth="#2f9a70",
        trim="#e6f4ee",
        backdrop=("#f3b9cf", "#e48fb0"),
        width=0.2,
        jaw=0.4,
    ),
    "jamie": Character(
        skin="#f1c7a6",
        shade="#d9a07c",
        blush="#ea8670",
        lips="#b5564f",
        hair="#9a4f2c",
        brows="#7a3d20",
        iris="#47703f",
        style="curls",
        clothes="crew",
        cloth="#3f5fb5",
        trim="#324d96",
        backdrop=("#e7f4f6", "#c3e2e7"),
        width=0.198,
        jaw=0.45,
        freckles=True,
        glasses="#44525f",
    ),
    "sam": Character(
        skin="#8a5a3b",
        shade="#6b4128",
        blush="#b55442",
        lips="#5a2424",
        hair="#221a1b",
        brows="#1d1617",
        iris="#2c1c13",
        style="fringe",
        clothes="cardigan",
        cloth="#e8b64a",
        trim="#fff7e2",
        backdrop=("#cfe6fb", "#97c3ee"),
        width=0.199,
        jaw=0.5,
    ),
}
"""All characters, by the key for an agent's ``avatar`` setting."""


def character_for(name: str) -> Character:
    """Return the character for a name; always the same one, on every computer."""
    return CHARACTERS[character_key(name)]
