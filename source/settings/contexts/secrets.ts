/** Known token prefixes. */
const tokenPrefixes =
	/\b((cfat|cfut|cfk|ghp|gho|github_pat|ops)_|(sk|xox[a-z]|v1\.0)[_-])(?=[\w-]*\d)[\w-]{16,}/;

const longRuns = /[\w-]{37,}/g;

/**
 * True if a text contains a likely token or key rather than a name, path or id: a known prefix, or at least
 * 37 letters, digits, "-" and "_" in a row with both digits and letters, unless they are a UUID. An API token
 * has 40 characters, an API key 37, an account id 32.
 */
export function isLikelySecret(text: string): boolean {
	if (tokenPrefixes.test(text)) return true;
	const longTexts = [...text.matchAll(longRuns)].map(([run]) => run).filter(run => !uuid.test(run));
	return longTexts.some(run => /\d/.test(run) && /[A-Za-z]/.test(run));
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
