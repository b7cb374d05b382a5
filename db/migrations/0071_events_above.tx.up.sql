-- The ids of events and of all events above them, each once. Statements call it only where they climb: written out, each climb
-- would cost a lookup the preparation of its plan, also where nothing is climbed. UNION ends the climb even if the rows held a
-- circle; LIMIT keeps the planner at the index, whatever number of events it expects.
CREATE FUNCTION events_above(seller text, events text[]) RETURNS text[] LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$ BEGIN
    RETURN ARRAY(WITH RECURSIVE above (id) AS (
        SELECT unnest(events) COLLATE "C"
        UNION
        SELECT up.id FROM above CROSS JOIN LATERAL (
            SELECT root_event_id, parent_event_id FROM catalog_events WHERE seller_id = seller AND id = above.id LIMIT 1
        ) e CROSS JOIN LATERAL unnest(ARRAY[e.root_event_id, e.parent_event_id]) AS up (id) WHERE up.id IS NOT NULL
    ) SELECT id FROM above);
END $$;
