-- no-transaction
-- Those who are blocked or muted already are called as they are now. And what members were told by somebody who has blocked them since keeps no name:
-- the actor is nobody's id, and a request that waits no longer leads nowhere.
UPDATE blocks b
SET name = coalesce(m.display_name, trim(m.given_name || ' ' || m.family_name))
FROM members m
WHERE m.id = b.other_id AND m.status = 'confirmed' AND b.name IS NULL;

UPDATE notification_silences s
SET name = coalesce(m.display_name, trim(m.given_name || ' ' || m.family_name))
FROM members m
WHERE m.id = s.other_id AND m.status = 'confirmed' AND s.name IS NULL;

UPDATE notifications n
SET actor_id = '00000000-0000-0000-0000-000000000000',
    message = CASE n.type
        WHEN 1 THEN 'A former member asked to be friends.'
        WHEN 2 THEN 'A former member became a friend.'
        WHEN 3 THEN 'A former member asked for a favor.'
        WHEN 4 THEN 'A former member had news about a favor.'
        WHEN 5 THEN 'A former member marked a favor as completed.'
        WHEN 6 THEN 'A former member marked a favor as settled.'
        WHEN 7 THEN 'A former member called off a favor.'
        ELSE 'This was about a former member.'
    END,
    mail = NULL,
    target_kind = CASE WHEN n.target_kind IN (2, 3) THEN 0 ELSE n.target_kind END,
    target_id = CASE WHEN n.target_kind IN (2, 3) THEN '00000000-0000-0000-0000-000000000000' ELSE n.target_id END
FROM blocks b
WHERE n.member_id = b.other_id AND n.actor_id = b.member_id AND NOT n.action_required;
