-- Sign-ins of which all was shown but the proof of the device that they name: each waits for its own. A node of the release before goes on with
-- what stands in the row of the device.
CREATE TABLE awaited_devices (
    member_id uuid NOT NULL,
    device_id uuid NOT NULL,
    -- Which sign-in.
    sign_in uuid NOT NULL,
    client_id text NOT NULL,
    -- A keyed hash of where it came from, for clients that do not say which one they go on with.
    network bytea CHECK (length(network) = 32),
    until timestamptz NOT NULL,
    PRIMARY KEY (member_id, sign_in),
    FOREIGN KEY (member_id, device_id) REFERENCES devices ON DELETE CASCADE
);
CREATE INDEX awaited_devices_of_device ON awaited_devices (member_id, device_id, until DESC);
CREATE INDEX awaited_devices_by_expiry ON awaited_devices (until);
