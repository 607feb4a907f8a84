"""Rows of databases into topics, as the JDBC source of Connect reads them."""
