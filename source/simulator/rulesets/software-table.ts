/** Software with vulnerabilities that the managed ruleset covers and the previous managed rules do not. */
type Software = {
	readonly name: string;
	/** The first safe version. */
	readonly fixed: string;
	/** Attacks on older versions, one rule each. */
	readonly attacks: readonly string[];
};

const bypass = 'Authentication Bypass';
const disclosure = 'Information Disclosure';
const inclusion = 'File Inclusion';
const injection = 'Code Injection';
const objects = 'Unsafe Deserialization';
const remote = 'Remote Code Execution';
const traversal = 'Path Traversal';
const upload = 'Dangerous File Upload';

export const newerSoftware: readonly Software[] = [
	software('Adobe ColdFusion', '2021.0.6', objects, traversal, disclosure),
	software('Adobe Commerce', '2.4.7', 'XXE', injection),
	software('Apache Airflow', '2.4.3', injection, 'Command Injection'),
	software('Apache Druid', '0.20.1', remote, inclusion),
	software('Apache HTTP Server', '2.4.51', traversal, 'SSRF'),
	software(
		'Apache Log4j',
		'2.17.1',
		remote,
		'Remote Code Execution (Body)',
		'Remote Code Execution (Header)',
	),
	software('Apache OFBiz', '18.12.16', bypass, remote, 'SSRF'),
	software('Apache Solr', '8.11.1', remote, 'SSRF'),
	software('Apache Struts', '6.3.0', remote, upload, injection),
	software('Apache Superset', '2.1.0', bypass, 'SQLi'),
	software('Apache Tomcat', '9.0.99', upload, disclosure),
	software('Atlassian Bitbucket', '8.3.1', 'Command Injection'),
	software('Atlassian Confluence', '8.5.4', injection, remote, 'Broken Access Control'),
	software('Atlassian Jira', '8.20.10', bypass, 'SSRF'),
	software('Cacti', '1.2.23', 'Command Injection', 'SQLi'),
	software('Citrix ADC', '13.1.49', remote, disclosure, traversal),
	software('ConnectWise ScreenConnect', '23.9.8', bypass, traversal),
	software('Craft CMS', '4.4.15', remote, injection),
	software('CrushFTP', '10.7.1', inclusion, bypass),
	software('Django', '4.0.6', 'SQLi'),
	software('DotNetNuke', '9.3.1', objects, 'SSRF'),
	software('Elasticsearch', '8.11.1', 'DoS'),
	software('F5 BIG-IP', '16.1.2', bypass, remote),
	software('Fortinet FortiOS', '7.2.2', bypass, traversal),
	software('GeoServer', '2.24.4', remote, 'SQLi', 'SSRF'),
	software('Ghost', '5.42.1', traversal),
	software('GitLab', '16.7.2', 'Account Takeover', injection, 'SSRF'),
	software('Grafana', '8.3.1', traversal, 'SSRF'),
	software('Ivanti Connect Secure', '22.6.2', bypass, 'Command Injection', 'SSRF'),
	software('Ivanti EPMM', '11.10.2', bypass, remote),
	software('Jenkins', '2.442', inclusion, remote),
	software('JetBrains TeamCity', '2023.11.4', bypass, traversal),
	software('Kibana', '8.12.1', injection),
	software('Laravel', '8.4.3', remote, disclosure),
	software('ManageEngine ServiceDesk', '14.0.4', remote, bypass),
	software('Metabase', '0.46.6', remote, inclusion),
	software('Microsoft Exchange', '15.2.986', 'SSRF', objects, 'Remote Code Execution (Path)'),
	software('Microsoft SharePoint', '16.0.5487', bypass, objects),
	software('MOVEit Transfer', '15.0.2', 'SQLi', bypass),
	software('Next.js', '14.2.25', bypass, 'SSRF'),
	software('Node.js', '18.12.1', 'Prototype Pollution', 'Request Smuggling'),
	software('Oracle E-Business Suite', '12.2.12', upload, bypass),
	software('Oracle WebLogic', '14.1.2', remote, objects, traversal),
	software('Palo Alto PAN-OS', '11.1.2', 'Command Injection', bypass),
	software('PHP CGI', '8.3.8', 'Argument Injection'),
	software('phpMyAdmin', '5.2.1', 'XSS', inclusion),
	software('Progress WhatsUp Gold', '23.1.3', 'SQLi', traversal),
	software('Roundcube', '1.6.4', 'XSS'),
	software('Ruby on Rails', '7.0.4', objects, disclosure),
	software('SAP NetWeaver', '7.50', upload, 'Request Smuggling'),
	software('Sitecore', '10.3.1', objects, remote),
	software('SolarWinds Orion', '2024.2.1', objects),
	software('SonicWall SMA', '10.2.1', 'Buffer Overflow', 'SQLi'),
	software('Spring Cloud Function', '3.2.3', injection),
	software('Spring Framework', '5.3.18', injection, 'DoS'),
	software('Strapi', '4.8.0', disclosure, injection),
	software('Telerik UI', '2024.2.514', objects, bypass),
	software('TYPO3', '11.5.35', 'XSS', injection),
	software('Umbraco', '10.4.0', 'SSRF'),
	software('VMware vCenter', '7.0.3', upload, 'SSRF'),
	software('VMware Workspace ONE', '22.9.1', 'Server-side Template Injection', bypass),
	software('WordPress:Plugin:Elementor', '3.11.7', 'Broken Access Control', upload),
	software('WordPress:Plugin:LiteSpeed Cache', '6.4.1', 'Privilege Escalation', 'XSS'),
	software('WordPress:Plugin:Really Simple Security', '9.1.2', bypass),
	software('WordPress:Plugin:WooCommerce Payments', '5.6.2', bypass, 'Privilege Escalation'),
	software('Zimbra', '9.0.1', traversal, 'SSRF', 'XSS'),
];

/** Logins that the exposed credentials ruleset recognizes. */
export const knownLogins: readonly string[] = [
	'WordPress',
	'Joomla',
	'Drupal',
	'Ghost',
	'Plone',
	'Magento',
	'Generic JSON',
	'Generic form',
	'Django',
	'Laravel',
	'MediaWiki',
	'Nextcloud',
	'OpenCart',
	'phpBB',
	'PrestaShop',
	'Shopware',
];

function software(name: string, fixed: string, ...attacks: readonly string[]): Software {
	return {name, fixed, attacks};
}
