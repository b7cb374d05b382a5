DROP TABLE deleted_webhooks;
