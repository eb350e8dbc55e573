"""Trained policies: actions as numbers, and the file of a policy that plays as an agent.

Everything here is plain Python, so a policy that was trained elsewhere plays in an agent's process without
any further package.
"""

from negoplatform.strategies.learned.action_codec import ActionCodec
from negoplatform.strategies.learned.bargaining_codecs import DemandCodec, TermsCodec
from negoplatform.strategies.learned.codec_choice import codec_of
from negoplatform.strategies.learned.trading_codecs import OrderCodec, TradeCodec

__all__ = ["ActionCodec", "DemandCodec", "OrderCodec", "TermsCodec", "TradeCodec", "codec_of"]
