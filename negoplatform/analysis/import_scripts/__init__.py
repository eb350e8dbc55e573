"""Scripts that read the tables in pandas, R and SPSS."""
