/**
 * A setting and its source as `ledge config` shows it: `--account-id`, `CLOUDFLARE_ACCOUNT_ID`,
 * `wrangler.toml:3`, `default`.
 */
export type Sourced<T> = {readonly value: T; readonly from: string};
