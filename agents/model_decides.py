"""An agent whose offers, acceptances and words a language model decides."""

from negoplatform.language_model import Decider


class ModelDecides(Decider):
    """A language model decides what is offered, accepted and said. Needs a service.

    It uses any OpenAI-compatible service, which is told the points of its side; see docs/language_model.md.
    Every decision is checked: it fits the rules, and is worth no less than no deal.
    """

    def get_name(self):
        return self.get_config("name", "Sam")
