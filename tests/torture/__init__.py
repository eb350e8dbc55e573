"""The promises of docs/reliability.md, each tried until it breaks or has been tried often enough."""
