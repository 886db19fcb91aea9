/** Groups of the previous managed rules in few words; the rules of each are made from them when they are asked for. */
export type GroupTable = {
	readonly name: string;
	readonly rules: number;
	/** What its rules guard. */
	readonly subjects: readonly string[];
	readonly attacks: readonly string[];
	/** Groups are on unless they are for software that most zones do not run. */
	readonly mode?: 'off';
};

const injections = ['SQLi', 'XSS', 'File Inclusion', 'Code Injection', 'Information Disclosure'];

/** Groups of the package of the service itself. */
export const platformGroups: readonly GroupTable[] = [
	{
		name: 'Platform Drupal',
		rules: 22,
		subjects: ['Form API', 'Services Module', 'REST'],
		attacks: injections,
	},
	{
		name: 'Platform Flash',
		rules: 8,
		subjects: ['Flash Player', 'SWF Upload'],
		attacks: ['XSS', 'Dangerous File Upload'],
	},
	{
		name: 'Platform Joomla',
		rules: 26,
		subjects: ['com_content', 'com_users', 'Media Manager'],
		attacks: injections,
	},
	{
		name: 'Platform Magento',
		rules: 18,
		subjects: ['Shoplift', 'Downloader', 'Wishlist'],
		attacks: injections,
	},
	{
		name: 'Platform Miscellaneous',
		rules: 46,
		subjects: ['vBulletin', 'Struts', 'Log4j', 'Exchange', 'Jenkins'],
		attacks: [...injections, 'Remote Code Execution'],
	},
	{
		name: 'Platform PHP',
		rules: 34,
		subjects: ['Common Endpoint', 'Global Variables', 'Wrapper', 'Session Files'],
		attacks: injections,
	},
	{
		name: 'Platform Plone',
		rules: 6,
		subjects: ['Zope', 'Plone'],
		attacks: ['Code Injection', 'Dangerous File Upload'],
		mode: 'off',
	},
	{
		name: 'Platform Specials',
		rules: 52,
		subjects: ['Body', 'Query', 'Cookie', 'Headers', 'Path'],
		attacks: [...injections, 'Command Injection', 'Traversal', 'SSRF'],
	},
	{
		name: 'Platform WHMCS',
		rules: 5,
		subjects: ['Client Area', 'Cart'],
		attacks: ['SQLi'],
		mode: 'off',
	},
	{
		name: 'Platform WordPress',
		rules: 61,
		subjects: ['Comments', 'XML-RPC', 'Plugin Upload', 'Admin Ajax', 'Timthumb', 'Revolution Slider'],
		attacks: [...injections, 'Broken Access Control'],
	},
];

/** Groups of the package of rules that customers asked for. */
export const requestedGroups: readonly GroupTable[] = [
	{name: 'Requested Bots', rules: 9, subjects: ['Scraper', 'Vulnerability Scanner'], attacks: ['Anomaly']},
	{name: 'Requested Floods', rules: 7, subjects: ['Login', 'Search'], attacks: ['Anomaly', 'DoS']},
	{name: 'Requested Software', rules: 12, subjects: ['SharePoint', 'Confluence'], attacks: injections},
];

/** Groups of the OWASP package; the number is the first one of its rules. */
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

function owasp(
	name: string,
	first: number,
	rules: number,
	subjects: readonly string[],
	mode?: 'off',
): GroupTable & {first: number} {
	return {name, first, rules, subjects, attacks: ['Anomaly'], ...(mode && {mode})};
}
