import {aboutProducts} from '../wizard/words.ts';

/** What can be skipped, by its name. */
export const aboutSkips: Readonly<Record<string, string>> = {
	remaining: 'the custom rules after this one',
	'rate-limits': 'rate limiting rules',
	'bot-fight-mode': 'Super Bot Fight Mode',
	'managed-rules': 'managed rules',
	...aboutProducts,
};
