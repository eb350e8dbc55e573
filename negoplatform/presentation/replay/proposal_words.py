"""Words for what assistants propose, for failures, and for the names of assistants and principals. No Tk."""

from __future__ import annotations

from collections.abc import Mapping

from negoplatform.agent_api.assistant import SUMMARY
from negoplatform.core.events import Event, Failure
from negoplatform.core.record.notes_and_tasks_proposals import ProposerKind, StateProposal
from negoplatform.domain.assistant_settings import AssistantKind
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.assistant_texts import insight_lines, plan_items
from negoplatform.presentation.event_texts import LONGEST
from negoplatform.presentation.i18n import Language, gettext_noop
from negoplatform.presentation.localized_names import displayable, truncate

ITEM_SEPARATOR = " · "

SENTENCES: Mapping[AssistantKind, str] = {
    AssistantKind.AGENDA: gettext_noop("The assistant {name} plans"),
    AssistantKind.INSIGHTS: gettext_noop("The assistant {name} reports"),
    AssistantKind.DEBRIEF: gettext_noop("The assistant {name} sums up"),
}
"""Sentences for accepted answers, by the kind of the assistant; its contents follow."""

PROPOSERS: Mapping[ProposerKind, str] = {
    ProposerKind.ASSISTANT: gettext_noop("Assistant {name}"),
    ProposerKind.PRINCIPAL: gettext_noop("Principal {name}"),
    ProposerKind.WIZARD: gettext_noop("Wizard {name}"),
}
"""Names of proposers without a seat, by their kinds."""


def proposer_name(event: Event, translate: Language) -> str:
    """Return the name of an assistant, a principal or a wizard that proposed a change; else empty."""
    proposal = event.payload
    if not isinstance(proposal, StateProposal) or proposal.proposer.kind not in PROPOSERS:
        return ""
    return translate(PROPOSERS[proposal.proposer.kind], name=displayable(proposal.proposer.name))


def proposal_sentence(event: Event, game: GameSpec, names: Mapping[Seat, str], translate: Language) -> str:
    """Return a proposal of an assistant, or a refused one of a principal, in words; else empty.

    Args:
        event: The event.
        game: The game.
        names: The names of all seats.
        translate: The window's language, with the game's texts.
    """
    proposal = event.payload
    if not isinstance(proposal, StateProposal) or proposal.proposer.kind not in PROPOSERS:
        return ""
    name = displayable(proposal.proposer.name)
    if not proposal.accepted:
        return translate(
            "A change of the record by {name} was refused: {reason}",
            name=name,
            reason=displayable(translate(proposal.reason)),
        )
    spec = game.assistants.get(proposal.proposer.name)
    if proposal.proposer.kind is not ProposerKind.ASSISTANT or spec is None or spec.kind is None:
        return ""
    items = _contents(proposal, spec.kind, game, names, translate)
    if not items:
        return translate("The assistant {name} changes the record", name=name)
    sentence, contents = translate(SENTENCES[spec.kind], name=name), ITEM_SEPARATOR.join(items)
    return truncate(translate("{sentence}: {steps}", sentence=sentence, steps=contents), LONGEST)


def failure_sentence(event: Event, game: GameSpec, translate: Language) -> str:
    """Return the failure of an assistant or a principal in words; empty for one of a seat's agent."""
    failure = event.payload
    if not isinstance(failure, Failure):
        return ""
    name, reason = displayable(failure.seat), displayable(failure.reason)
    if failure.seat in game.assistants:
        return translate("The assistant {name} failed: {reason}", name=name, reason=reason)
    if failure.seat in game.principals:
        return translate("The principal {name} failed: {reason}", name=name, reason=reason)
    return ""


def _contents(
    proposal: StateProposal,
    kind: AssistantKind,
    game: GameSpec,
    names: Mapping[Seat, str],
    translate: Language,
) -> tuple[str, ...]:
    """Return the items of a plan, the sentences of insights, or the text of a summary."""
    annotations = proposal.updates.to_dict().get("annotations")
    own = annotations.get(proposal.proposer.name) if isinstance(annotations, dict) else None
    if not isinstance(own, dict):
        return ()
    if kind is AssistantKind.AGENDA:
        return tuple(f"{item.mark}\u00a0{item.text}" for item in plan_items(own, game, names, translate))
    if kind is AssistantKind.INSIGHTS:
        return insight_lines(own, game, names, translate)
    summary = own.get(SUMMARY)
    text = summary.get("text") if isinstance(summary, dict) else None
    return (displayable(text),) if isinstance(text, str) and text else ()
