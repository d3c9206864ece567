SELECT name, sum(self), 'x''y', x'00ff', 1e400 FROM function_total JOIN function USING (id) WHERE self > ? GROUP BY 1 ORDER BY 2 DESC LIMIT 5;
