-- no-transaction
-- What is over between two of whom one has blocked the other meanwhile: what the other was told of it after the block keeps no name either, as what they
-- were told before it (0061).
-- Also where something is expected: that a helper has stepped back is about the favor, which is open again.
UPDATE notifications n
SET actor_id = '00000000-0000-0000-0000-000000000000',
    message = CASE n.type
        WHEN 4 THEN 'A former member had news about a favor.'
        WHEN 5 THEN 'A former member marked a favor as completed.'
        WHEN 6 THEN 'A former member had news about a favor that is settled.'
        WHEN 7 THEN 'A former member called off a favor.'
        WHEN 10 THEN 'A former member had news about a rental.'
        WHEN 11 THEN 'A former member noted a hand-over.'
        WHEN 12 THEN 'A former member gave something back.'
        WHEN 13 THEN 'A former member confirmed a return.'
        WHEN 16 THEN 'A former member called off a rental.'
        WHEN 17 THEN 'A former member asked for other days.'
        ELSE 'This was about a former member.'
    END,
    mail = NULL
FROM notification_silences s
WHERE s.cause = 'blocked' AND n.member_id = s.other_id AND n.actor_id = s.member_id
  AND (n.target_kind = 4 AND NOT EXISTS (
          SELECT FROM rentals r
          WHERE r.id = n.target_id AND r.status IN ('accepted', 'active', 'returned')
            AND (r.owner_id = n.member_id AND r.borrower_id = n.actor_id OR r.owner_id = n.actor_id AND r.borrower_id = n.member_id)
      )
      OR n.target_kind = 1 AND NOT EXISTS (
          SELECT FROM favors f
          WHERE f.id = n.target_id AND f.status IN ('accepted', 'completed') AND f.helper_id IN (n.member_id, n.actor_id)
      ));
