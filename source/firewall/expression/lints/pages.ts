const docs = 'https://developers.cloudflare.com';
const rulesLanguage = `${docs}/ruleset-engine/rules-language` as const;

/** Pages of the service's documentation that lints refer to. */
export const pages = {
	expressions: `${rulesLanguage}/expressions/`,
	fields: `${rulesLanguage}/fields/reference/`,
	functions: `${rulesLanguage}/functions/`,
	lists: `${docs}/waf/tools/lists/`,
	managedLists: `${docs}/waf/tools/lists/managed-lists/`,
	normalization: `${docs}/rules/normalization/how-it-works/`,
	operators: `${rulesLanguage}/operators/`,
	phases: `${docs}/ruleset-engine/reference/phases-list/`,
	revokedCertificates: `${docs}/api-shield/security/mtls/configure/`,
	attackScore: `${docs}/waf/detections/attack-score/`,
	values: `${rulesLanguage}/values/`,
} as const;
