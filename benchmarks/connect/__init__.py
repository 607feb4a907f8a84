"""The JDBC source measured: a snapshot beside a plain client, a changed row's way, and many tables at once."""
