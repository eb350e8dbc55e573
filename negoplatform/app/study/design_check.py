"""Check of a study's services, scales, payment and frozen parts."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from negoplatform.app.session.agent_placement import participant_seat
from negoplatform.app.study.partner_check import chosen_values, shipped_hashes
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.domain.errors import NegoError
from negoplatform.formats.strict_json import read_text
from negoplatform.study.stages import ConsentStage, NegotiationStage, PlayedGame, RoundsStage
from negoplatform.study.study_file import PaymentModel, StudyModel

DesignFinding = tuple[str, str]
"""A place in study.json, and a warning."""

LARGEST_PAYMENT_RATIO = 3
"""Maximum payment as a multiple of the usual one; above it, the bound has no effect or points dominate."""

USUAL_SHARE = Fraction(1, 2)
"""Share of the best possible points that people usually get."""


def design_findings(folder: StudyFolder) -> Iterator[DesignFinding]:
    """Yield warnings about a study's services, scales, payment and frozen parts."""
    seen: set[DesignFinding] = set()
    for model in folder.study.models.values():
        for finding in (*_service_findings(folder, model), *_payment_findings(folder, model)):
            if finding not in seen:
                seen.add(finding)
                yield finding
    for name, instrument in folder.study.instruments.items():
        for scale in instrument.scales:
            if len(scale.items) == 1:
                reason = (
                    f"the scale {scale.name!r} of {name} has one item, so its reliability is unknown; "
                    "add items, or leave the scale out and use the item"
                )
                yield "stages", reason
    yield from _frozen_part_findings(folder)


def _service_findings(folder: StudyFolder, model: StudyModel) -> Iterator[DesignFinding]:
    """Yield consents that do not name the service to which the words of participants are sent."""
    asking = [name for name, partner in model.partners.items() if partner.settings.get("endpoint")]
    if not asking:
        return
    for stage in model.all_stages():
        if not isinstance(stage, ConsentStage):
            continue
        for language in model.languages:
            path = folder.text_path(stage.text, language)
            if path.is_file() and "{service}" not in read_text(path):
                yield (
                    f"stages.{stage.id}.text",
                    f"the partner {asking[0]!r} sends what participants write to a service, and {stage.text} "
                    f"({language}) does not name it; write {{service}} there",
                )


def _payment_findings(folder: StudyFolder, model: StudyModel) -> Iterator[DesignFinding]:
    rules = model.payment
    if rules is None or rules.points is None or rules.most is None:
        return
    try:
        best = [points for played in _paid_games(model) for points in [_best_points(folder, model, played)]]
    except NegoError:
        return  # reported with the game
    usual = Fraction(rules.show_up) + Fraction(rules.points.rate) * _paid_points(rules, best) * USUAL_SHARE
    usual += sum((Fraction(bonus.amount) for bonus in rules.bonuses), Fraction(0)) * USUAL_SHARE
    if usual and Fraction(rules.most) > LARGEST_PAYMENT_RATIO * usual:
        yield (
            "payment.most",
            f"the maximum payment (most) is {rules.most}, more than {LARGEST_PAYMENT_RATIO} times the usual "
            f"one (about {float(usual):.2f}); lower it, or check the rate",
        )


def _paid_points(rules: PaymentModel, best: list[Fraction]) -> Fraction:
    """Return the best possible points of the games that are paid: of one, of some, or of all."""
    if rules.points is None or not best:
        return Fraction(0)
    mean = sum(best, Fraction(0)) / len(best)
    match rules.points.rounds:
        case "sum":
            return mean * len(best)
        case "draw_n":
            return mean * min(rules.points.n or 1, len(best))
        case "mean" | "best" | "draw_one":
            return mean


def _paid_games(model: StudyModel) -> Iterator[PlayedGame]:
    paid = model.payment.points.stages if model.payment and model.payment.points else ()
    for stage in model.all_stages():
        if stage.id not in paid:
            continue
        if isinstance(stage, NegotiationStage):
            yield stage
        elif isinstance(stage, RoundsStage):
            yield from stage.rounds


def _best_points(folder: StudyFolder, model: StudyModel, played: PlayedGame) -> Fraction:
    name = chosen_values(model, played.game, "game")[0]
    game = folder.game(name).resolve_profiles(0, played.profile)
    return Fraction(str(game.preferences[participant_seat(game, played.seat)].utility.highest))


def _frozen_part_findings(folder: StudyFolder) -> Iterator[DesignFinding]:
    """Yield the program's games, agents and instruments that differ from those of a frozen study."""
    if folder.manifest is None:
        return
    try:
        now = shipped_hashes(folder)
    except NegoError:
        return  # reported with the partner or the game
    frozen = folder.manifest.shipped
    for name in sorted({*now, *frozen}):
        if now.get(name) != frozen.get(name):
            yield (
                "",
                f"the study was frozen with another {name} (of NegoPlatform {folder.manifest.program}); "
                "use that version of the program, or freeze a new version of the study",
            )
