/** Beginnings of tokens that name themselves. */
const beginnings =
	/\b((cfat|cfut|cfk|ghp|gho|github_pat|ops)_|(sk|xox[a-z]|v1\.0)[_-])(?=[\w-]*\d)[\w-]{16,}/;

const runs = /[\w-]{37,}/g;

/**
 * Whether a text holds what looks like a token or key, and not like a name, a path or an id: a run of 37 or more
 * letters, digits, "-" and "_" with digits and letters in it, or a beginning as tokens have it. An API token has 40
 * characters, an API key 37, an account id 32; a UUID has its dashes at its own places.
 */
export function looksSecret(text: string): boolean {
	if (beginnings.test(text)) return true;
	const found = [...text.matchAll(runs)].map(([run]) => run).filter(run => !uuid.test(run));
	return found.some(run => /\d/.test(run) && /[A-Za-z]/.test(run));
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
