"""`crossfact report`: the papers' tables and figures from the harness's own logs."""
