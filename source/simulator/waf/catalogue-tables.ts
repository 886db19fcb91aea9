/** Tables of the groups of the previous managed rules; their rules are generated on demand. */
export type GroupTable = {
	readonly name: string;
	readonly rules: number;
	/** What its rules protect. */
	readonly subjects: readonly string[];
	readonly attacks: readonly string[];
	/** Off for software that most zones do not run; otherwise on. */
	readonly mode?: 'off';
};

const injections = ['SQLi', 'XSS', 'File Inclusion', 'Code Injection', 'Information Disclosure'];

/** Groups of the service's own package. */
export const platformGroups: readonly GroupTable[] = [
	group('Platform Drupal', 22, ['Form API', 'Services Module', 'REST'], injections),
	group('Platform Flash', 8, ['Flash Player', 'SWF Upload'], ['XSS', 'Dangerous File Upload']),
	group('Platform Joomla', 26, ['com_content', 'com_users', 'Media Manager'], injections),
	group('Platform Magento', 18, ['Shoplift', 'Downloader', 'Wishlist'], injections),
	group(
		'Platform Miscellaneous',
		46,
		['vBulletin', 'Struts', 'Log4j', 'Exchange', 'Jenkins'],
		[...injections, 'Remote Code Execution'],
	),
	group('Platform PHP', 34, ['Common Endpoint', 'Global Variables', 'Wrapper', 'Session Files'], injections),
	group('Platform Plone', 6, ['Zope', 'Plone'], ['Code Injection', 'Dangerous File Upload'], 'off'),
	group(
		'Platform Specials',
		52,
		['Body', 'Query', 'Cookie', 'Headers', 'Path'],
		[...injections, 'Command Injection', 'Traversal', 'SSRF'],
	),
	group('Platform WHMCS', 5, ['Client Area', 'Cart'], ['SQLi'], 'off'),
	group(
		'Platform WordPress',
		61,
		['Comments', 'XML-RPC', 'Plugin Upload', 'Admin Ajax', 'Timthumb', 'Revolution Slider'],
		[...injections, 'Broken Access Control'],
	),
];

/** Groups of the package of rules that customers requested. */
export const requestedGroups: readonly GroupTable[] = [
	group('Requested Bots', 9, ['Scraper', 'Vulnerability Scanner'], ['Anomaly']),
	group('Requested Floods', 7, ['Login', 'Search'], ['Anomaly', 'DoS']),
	group('Requested Software', 12, ['SharePoint', 'Confluence'], injections),
];

/** Groups of the OWASP package; the number is that of the first rule. */
export const owaspGroups: readonly (GroupTable & {readonly first: number})[] = [
	owasp('OWASP Bad Robots', 990002, 8, ['Rogue Web Site Crawler', 'Security Scanner']),
	owasp('OWASP Common Exceptions', 981020, 4, ['Apache Internal Dummy Connection', 'SSL Pinger']),
	owasp('OWASP Generic Attacks', 950000, 26, ['Session Fixation', 'Remote File Access', 'System Command']),
	owasp('OWASP HTTP Policy', 960032, 6, ['Method Not Allowed', 'File Extension Restricted']),
	owasp('OWASP Protocol Anomalies', 960006, 9, [
		'Empty User Agent',
		'Missing Accept Header',
		'Host is an IP',
	]),
	owasp('OWASP Protocol Violations', 960911, 20, [
		'Invalid Request Line',
		'Range Header',
		'URL Encoding Abuse',
	]),
	owasp('OWASP Request Limits', 960208, 6, ['Argument Value Too Long', 'Too Many Arguments']),
	owasp('OWASP Slr Et Joomla Attacks', 2000, 18, ['Joomla Component'], 'off'),
	owasp('OWASP Slr Et Lfi Attacks', 2200, 9, ['Local File Inclusion'], 'off'),
	owasp('OWASP Slr Et PHPBB Attacks', 2300, 6, ['phpBB'], 'off'),
	owasp('OWASP Slr Et Rfi Attacks', 2400, 9, ['Remote File Inclusion'], 'off'),
	owasp('OWASP Slr Et SQLi Attacks', 2500, 16, ['SQL Injection'], 'off'),
	owasp('OWASP Slr Et WordPress Attacks', 2600, 14, ['WordPress Plugin'], 'off'),
	owasp('OWASP Slr Et XSS Attacks', 2700, 8, ['Cross-site Scripting'], 'off'),
	owasp('OWASP SQL Injection Attacks', 981231, 31, [
		'SQL Comment Sequence',
		'SQL Tautology',
		'Blind SQL Probe',
	]),
	owasp('OWASP Tight Security', 950103, 3, ['Path Traversal'], 'off'),
	owasp('OWASP Trojans', 950110, 3, ['Backdoor Access']),
	owasp('OWASP Uri SQL Injection Attacks', 981300, 12, ['SQL Injection in the URI']),
	owasp('OWASP Uri XSS Attacks', 973300, 14, ['XSS in the URI']),
	owasp('OWASP XSS Attacks', 973400, 27, ['XSS Script Tag', 'XSS Event Handler', 'IE XSS Filter']),
];

function group(
	name: string,
	rules: number,
	subjects: readonly string[],
	attacks: readonly string[],
	mode?: 'off',
): GroupTable {
	return {name, rules, subjects, attacks, ...(mode && {mode})};
}

function owasp(name: string, first: number, rules: number, subjects: readonly string[], mode?: 'off') {
	return {...group(name, rules, subjects, ['Anomaly'], mode), first};
}
