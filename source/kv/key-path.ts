import {Failure} from '../failure.ts';

/** True if a key has another form in a URL. */
export const isEncodedInPaths = (key: string): boolean => encodeURIComponent(key) !== key;

/**
 * Encodes a key as a path segment. `decodesKeys` is false if the namespace takes keys in a URL as they are
 * written (`supports_url_encoding`): then it would be another key, so this fails with `limit`.
 */
export function encodeKey(
	key: string,
	{label, decodesKeys}: {readonly label: string; readonly decodesKeys: boolean | undefined},
): string {
	if (decodesKeys === false && isEncodedInPaths(key))
		throw new Failure('limit', `The key ${JSON.stringify(key)} can't be used in a URL of ${label}.`, {
			why: `This namespace does not decode keys in URLs (supports_url_encoding is false), so ${encodeURIComponent(key)} would be another key.`,
			next: 'Use `kv bulk get`, `kv bulk put` or `kv bulk delete`, which name keys in JSON, or copy the keys to a new namespace.',
		});
	return encodeURIComponent(key);
}
