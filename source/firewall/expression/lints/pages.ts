const rulesLanguage = 'https://developers.cloudflare.com/ruleset-engine/rules-language';

/** Pages of the service's documentation that lints refer to. */
export const pages = {
	expressions: `${rulesLanguage}/expressions/`,
	fields: `${rulesLanguage}/fields/reference/`,
	functions: `${rulesLanguage}/functions/`,
	operators: `${rulesLanguage}/operators/`,
	values: `${rulesLanguage}/values/`,
	lists: 'https://developers.cloudflare.com/waf/tools/lists/',
} as const;
