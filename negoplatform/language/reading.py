"""Import path and names of agent API 1.0 for ``Interpretation`` and its parts."""

from negoplatform.language.parsing.interpretation import CONFIDENCE_THRESHOLD as SURE
from negoplatform.language.parsing.interpretation import Ambiguity as Doubt
from negoplatform.language.parsing.interpretation import AnnotationKind as PartKind
from negoplatform.language.parsing.interpretation import DialogueAct as Act
from negoplatform.language.parsing.interpretation import Interpretation as Reading
from negoplatform.language.parsing.interpretation import Need
from negoplatform.language.parsing.interpretation import TextAnnotation as Part

__all__ = ["SURE", "Act", "Doubt", "Need", "Part", "PartKind", "Reading"]
