"""Import path and name of NegoPlatform 1.0 for ``Paraphraser``."""

from negoplatform.language_model.paraphraser import Paraphraser as Voice

__all__ = ["Voice"]
