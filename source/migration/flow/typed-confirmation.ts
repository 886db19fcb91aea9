/** What a person types where the name of the zone is not enough; the same in the screens and at a prompt. */
export const furtherWords = {
	/** What is sent deploys no managed ruleset. */
	'further word': 'unprotected',
	/** Not all of what will be lost could be read for the backup. */
	'word about the backup': 'incomplete',
} as const;
