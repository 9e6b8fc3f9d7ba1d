SELECT i.id, i.owner_id, i.title, i.description, i.category, i.url,
            i.visibility, i.narrowed, i.status, i.price_cents, i.deposit_cents,
            i.currency, i.max_days, i.policy, i.city, i.created_at, i.updated_at,
            i.listed_at,
            ARRAY(SELECT m.id FROM item_images m WHERE m.item_id = i.id ORDER BY m.position LIMIT 10),
            EXISTS (SELECT FROM item_images m WHERE m.item_id = i.id AND m.position = 1 AND m.has_card),
            CASE WHEN i.owner_id = $1 AND i.narrowed THEN ARRAY(
                SELECT g.group_id
                FROM item_groups g
                WHERE g.item_id = i.id
                ORDER BY g.group_id
                LIMIT 20
            ) ELSE '{}' END,
            o.given_name, o.family_name, o.display_name,
            o.picture,
            (
                SELECT count(*)
                FROM items s
                WHERE s.owner_id = i.owner_id AND s.status = 'listed'
                  AND (
                      NOT s.narrowed OR s.owner_id = $1
                      OR EXISTS (
                          SELECT FROM item_groups g
                          JOIN group_members m ON m.owner_id = s.owner_id AND m.group_id = g.group_id AND m.member_id = $1
                          WHERE g.item_id = s.id
                      )
                  )
            )
     FROM items i
     LEFT JOIN LATERAL (SELECT * FROM members m WHERE m.id = i.owner_id AND m.status = 'confirmed' LIMIT 1) o ON true
     JOIN (
         WITH friend AS MATERIALIZED (
             SELECT s.friend_id, newest.listed_at, newest.id
             FROM friendships s
             CROSS JOIN LATERAL (
                 SELECT l.listed_at, l.id
                 FROM items l
                 WHERE l.owner_id = s.friend_id AND l.status = 'listed' AND (l.listed_at, l.id) < ($2, $3)
                   AND (NOT l.narrowed OR EXISTS (
                       SELECT FROM item_groups g
                       JOIN group_members m ON m.owner_id = s.friend_id AND m.group_id = g.group_id AND m.member_id = $1
                       WHERE g.item_id = l.id
                   ))
                 ORDER BY l.listed_at DESC, l.id DESC
                 LIMIT 1
             ) newest
             WHERE s.member_id = $1
             ORDER BY newest.listed_at DESC, newest.id DESC
             LIMIT $4
         )
         SELECT open.listed_at, open.id
         FROM friend
         CROSS JOIN LATERAL (
             SELECT l.listed_at, l.id
             FROM items l
             WHERE l.owner_id = friend.friend_id AND l.status = 'listed' AND (l.listed_at, l.id) <= (friend.listed_at, friend.id)
               AND l.listed_at >= (
                   SELECT CASE WHEN count(*) = $4 THEN min(f.listed_at) ELSE '-infinity' END FROM friend f
               )
               AND (NOT l.narrowed OR EXISTS (
                   SELECT FROM item_groups g
                   JOIN group_members m ON m.owner_id = friend.friend_id AND m.group_id = g.group_id AND m.member_id = $1
                   WHERE g.item_id = l.id
               ))
             ORDER BY l.listed_at DESC, l.id DESC
             LIMIT $4
         ) open
         ORDER BY open.listed_at DESC, open.id DESC
         LIMIT $4
     ) k ON k.id = i.id
     ORDER BY k.listed_at DESC, k.id DESC
     LIMIT $4