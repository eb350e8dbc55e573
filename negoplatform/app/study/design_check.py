"""Check of a study's services, scales, payment and frozen parts."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from negoplatform.app.study.partner_check import shipped_hashes
from negoplatform.app.study.reachable_points import points_range, usual_points
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.domain.errors import NegoError
from negoplatform.formats.strict_json import read_text
from negoplatform.study.payment import round_up, two_decimals
from negoplatform.study.reference_check import BOOLEAN, known_references
from negoplatform.study.stages import ConsentStage, NegotiationStage, PlayedGame, RoundsStage
from negoplatform.study.study_file import PaidPoints, PaymentModel, StudyModel

DesignFinding = tuple[str, str]
"""A place in study.json, and a warning."""

LARGEST_PAYMENT_RATIO = 3
"""Maximum payment as a multiple of the usual one; above it, the bound has no effect or points dominate."""

USUAL_BONUSES = Fraction(1, 2)
"""Share of the bonuses that people usually get."""


def design_findings(folder: StudyFolder) -> Iterator[DesignFinding]:
    """Yield warnings about a study's services, scales, payment and frozen parts."""
    seen: set[DesignFinding] = set()
    for model in folder.study.models.values():
        for finding in (*_service_findings(folder, model), *_payment_findings(folder, model)):
            if finding not in seen:
                seen.add(finding)
                yield finding
    yield from _bound_findings(folder)
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
        usual_of_games = [usual_points(folder, model, played) for played in _paid_games(model)]
    except NegoError:
        return  # reported with the game
    usual = Fraction(rules.show_up) + Fraction(rules.points.rate) * _paid_points(rules, usual_of_games)
    usual += sum((Fraction(bonus.amount) for bonus in rules.bonuses), Fraction(0)) * USUAL_BONUSES
    if Fraction(rules.most) < usual:
        yield (
            "payment.most",
            f"the maximum payment (most) is {rules.most}, less than the usual one (about "
            f"{float(usual):.2f}), so most people get the same, whatever they "
            "reach; raise it, or lower the rate",
        )
    if usual and Fraction(rules.most) > LARGEST_PAYMENT_RATIO * usual:
        yield (
            "payment.most",
            f"the maximum payment (most) is {rules.most}, more than {LARGEST_PAYMENT_RATIO} times the usual "
            f"one (about {float(usual):.2f}); lower it, or check the rate",
        )


def _bound_findings(folder: StudyFolder) -> Iterator[DesignFinding]:
    """Yield bounds of the payment that have no effect in any cell."""
    models = list(folder.study.models.values())
    rules = folder.study.model.payment
    if rules is None:
        return
    try:
        ranges = [_payment_range(folder, model) for model in models]
    except NegoError:
        return  # reported with the game
    highest = [high for _, high in ranges if high is not None]
    if rules.most is not None and len(highest) == len(ranges) and Fraction(rules.most) > max(highest):
        most = two_decimals(round_up(_decimal(max(highest)), rules.round_up_to))
        if Decimal(most) < rules.most:
            yield (
                "payment.most",
                f"no payment can reach the maximum (most) of {rules.most}: show-up, points and bonuses "
                f"are at most {most}; write {most}, or check the rate",
            )
    lowest = min(low for low, _ in ranges)
    if rules.least is not None and Fraction(rules.least) < lowest:
        least = two_decimals(round_up(_decimal(lowest), rules.round_up_to))
        yield (
            "payment.least",
            f"the minimum payment (least) of {rules.least} never applies: every payment is at least {least}; "
            f"write {least}, or leave least out",
        )


def _decimal(amount: Fraction) -> Decimal:
    return Decimal(amount.numerator) / Decimal(amount.denominator)


def _payment_range(folder: StudyFolder, model: StudyModel) -> tuple[Fraction, Fraction | None]:
    """Return the lowest and the highest payment without bounds; None: a part of it has no highest amount.

    Raises:
        NegoError: If a game cannot be used.
    """
    rules = model.payment
    assert rules is not None, "a study with a payment has one in every cell"
    low = high = Fraction(rules.show_up)
    is_limited = True
    if rules.points is not None:
        found = [points_range(folder, model, played) for played in _paid_games(model)]
        ranges = [each for each in found if each is not None]
        is_limited = len(ranges) == len(found)
        # A person who ends early has played nothing, and gets no points.
        low += Fraction(rules.points.rate) * min([Fraction(0), *(least for least, _ in ranges)])
        high += Fraction(rules.points.rate) * _highest_points(rules.points, [most for _, most in ranges])
    columns = {} if folder.codes is None else {name: () for row in folder.codes.rows.values() for name in row}
    known = known_references(model, folder.study.instruments, columns)
    high += sum((Fraction(bonus.amount) for bonus in rules.bonuses), Fraction(0))
    flags = all(bonus.for_ in known and known[bonus.for_].type == BOOLEAN for bonus in rules.bonuses)
    return low, high if is_limited and flags else None


def _highest_points(rules: PaidPoints, best: list[Fraction]) -> Fraction:
    """Return the highest points that can be paid.

    Args:
        rules: The rules.
        best: The best possible points of each game.
    """
    if not best:
        return Fraction(0)
    match rules.rounds:
        case "sum":
            return sum(best, Fraction(0))
        case "mean":
            return max(best)  # rounds that were not played do not count
        case "best" | "draw_one":
            return max(best)
        case "draw_n":
            return sum(sorted(best)[-(rules.n or 1) :], Fraction(0))


def _paid_points(rules: PaymentModel, usual: list[Fraction]) -> Fraction:
    """Return the usual points of the games that are paid: of one, of some, or of all."""
    if rules.points is None or not usual:
        return Fraction(0)
    mean = sum(usual, Fraction(0)) / len(usual)
    match rules.points.rounds:
        case "sum":
            return mean * len(usual)
        case "draw_n":
            return mean * min(rules.points.n or 1, len(usual))
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
