WITH RECURSIVE up(id) AS (SELECT 1 UNION ALL SELECT parent FROM node JOIN up ON node.id = up.id WHERE parent) SELECT count(*), max(id) OVER () FROM up
