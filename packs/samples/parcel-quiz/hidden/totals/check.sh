test "$(tr -d "[:space:]" < total.txt)" = 4130
