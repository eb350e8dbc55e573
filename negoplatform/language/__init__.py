"""What people say, understood; and what agents say, in words."""
