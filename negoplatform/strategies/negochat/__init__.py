"""NegoChat and its relatives: opponent types, thresholds by turn, and deals built issue by issue.

A. Rosenfeld, I. Zuckerman, E. Segal-Halevi, O. Drein and S. Kraus: "NegoChat: a chat-based negotiation
agent" (AAMAS 2014), and "NegoChat-A: a chat-based negotiation agent with bounded rationality" (Autonomous
Agents and Multi-Agent Systems 30, 2016, 60-81). Nothing here knows how an agent is asked or answers.
"""
