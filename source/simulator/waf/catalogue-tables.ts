/** A group of the previous managed rules; its rules are generated on demand. */
export type GroupDefinition = {
	readonly name: string;
	readonly ruleCount: number;
	/** What its rules protect. */
	readonly subjects: readonly string[];
	readonly attacks: readonly string[];
	/** Off for software that most zones do not run; otherwise on. */
	readonly mode?: 'off';
};

const injections = ['SQLi', 'XSS', 'File Inclusion', 'Code Injection', 'Information Disclosure'];

/** Groups of the service's own package. */
export const platformGroups: readonly GroupDefinition[] = [
	createGroup('Platform Drupal', 22, ['Form API', 'Services Module', 'REST'], injections),
	createGroup('Platform Flash', 8, ['Flash Player', 'SWF Upload'], ['XSS', 'Dangerous File Upload']),
	createGroup('Platform Joomla', 26, ['com_content', 'com_users', 'Media Manager'], injections),
	createGroup('Platform Magento', 18, ['Shoplift', 'Downloader', 'Wishlist'], injections),
	createGroup(
		'Platform Miscellaneous',
		46,
		['vBulletin', 'Struts', 'Log4j', 'Exchange', 'Jenkins'],
		[...injections, 'Remote Code Execution'],
	),
	createGroup(
		'Platform PHP',
		34,
		['Common Endpoint', 'Global Variables', 'Wrapper', 'Session Files'],
		injections,
	),
	createGroup('Platform Plone', 6, ['Zope', 'Plone'], ['Code Injection', 'Dangerous File Upload'], 'off'),
	createGroup(
		'Platform Specials',
		52,
		['Body', 'Query', 'Cookie', 'Headers', 'Path'],
		[...injections, 'Command Injection', 'Traversal', 'SSRF'],
	),
	createGroup('Platform WHMCS', 5, ['Client Area', 'Cart'], ['SQLi'], 'off'),
	createGroup(
		'Platform WordPress',
		61,
		['Comments', 'XML-RPC', 'Plugin Upload', 'Admin Ajax', 'Timthumb', 'Revolution Slider'],
		[...injections, 'Broken Access Control'],
	),
];

/** Groups of the package of rules that customers requested. */
export const requestedGroups: readonly GroupDefinition[] = [
	createGroup('Requested Bots', 9, ['Scraper', 'Vulnerability Scanner'], ['Anomaly']),
	createGroup('Requested Floods', 7, ['Login', 'Search'], ['Anomaly', 'DoS']),
	createGroup('Requested Software', 12, ['SharePoint', 'Confluence'], injections),
];

/** Groups of the OWASP package; `first` is the id of the first rule, the others follow in steps of one. */
export const owaspGroups: readonly (GroupDefinition & {readonly first: number})[] = [
	createOwaspGroup('OWASP Bad Robots', 990002, 8, ['Rogue Web Site Crawler', 'Security Scanner']),
	createOwaspGroup('OWASP Common Exceptions', 981020, 4, ['Apache Internal Dummy Connection', 'SSL Pinger']),
	createOwaspGroup('OWASP Generic Attacks', 950000, 26, [
		'Session Fixation',
		'Remote File Access',
		'System Command',
	]),
	createOwaspGroup('OWASP HTTP Policy', 960032, 6, ['Method Not Allowed', 'File Extension Restricted']),
	createOwaspGroup('OWASP Protocol Anomalies', 960006, 9, [
		'Empty User Agent',
		'Missing Accept Header',
		'Host is an IP',
	]),
	createOwaspGroup('OWASP Protocol Violations', 960911, 20, [
		'Invalid Request Line',
		'Range Header',
		'URL Encoding Abuse',
	]),
	createOwaspGroup('OWASP Request Limits', 960208, 6, ['Argument Value Too Long', 'Too Many Arguments']),
	createOwaspGroup('OWASP Slr Et Joomla Attacks', 2000, 18, ['Joomla Component'], 'off'),
	createOwaspGroup('OWASP Slr Et Lfi Attacks', 2200, 9, ['Local File Inclusion'], 'off'),
	createOwaspGroup('OWASP Slr Et PHPBB Attacks', 2300, 6, ['phpBB'], 'off'),
	createOwaspGroup('OWASP Slr Et Rfi Attacks', 2400, 9, ['Remote File Inclusion'], 'off'),
	createOwaspGroup('OWASP Slr Et SQLi Attacks', 2500, 16, ['SQL Injection'], 'off'),
	createOwaspGroup('OWASP Slr Et WordPress Attacks', 2600, 14, ['WordPress Plugin'], 'off'),
	createOwaspGroup('OWASP Slr Et XSS Attacks', 2700, 8, ['Cross-site Scripting'], 'off'),
	createOwaspGroup('OWASP SQL Injection Attacks', 981231, 31, [
		'SQL Comment Sequence',
		'SQL Tautology',
		'Blind SQL Probe',
	]),
	createOwaspGroup('OWASP Tight Security', 950103, 3, ['Path Traversal'], 'off'),
	createOwaspGroup('OWASP Trojans', 950110, 3, ['Backdoor Access']),
	createOwaspGroup('OWASP Uri SQL Injection Attacks', 981300, 12, ['SQL Injection in the URI']),
	createOwaspGroup('OWASP Uri XSS Attacks', 973300, 14, ['XSS in the URI']),
	createOwaspGroup('OWASP XSS Attacks', 973400, 27, ['XSS Script Tag', 'XSS Event Handler', 'IE XSS Filter']),
];

function createGroup(
	name: string,
	ruleCount: number,
	subjects: readonly string[],
	attacks: readonly string[],
	mode?: 'off',
): GroupDefinition {
	return {name, ruleCount, subjects, attacks, ...(mode && {mode})};
}

function createOwaspGroup(
	name: string,
	firstRuleNumber: number,
	ruleCount: number,
	subjects: readonly string[],
	mode?: 'off',
) {
	return {...createGroup(name, ruleCount, subjects, ['Anomaly'], mode), first: firstRuleNumber};
}
