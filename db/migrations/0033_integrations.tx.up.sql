-- Whether another system calls with a device's token, as it was sent.
ALTER TABLE devices ADD COLUMN is_integration boolean NOT NULL DEFAULT false;
