/** Software with vulnerabilities that the managed ruleset covers and the previous managed rules do not. */
type Software = {
	readonly name: string;
	/** The first safe version. */
	readonly fixedVersion: string;
	/** Attacks on older versions, one rule each. */
	readonly attacks: readonly string[];
};

const bypass = 'Authentication Bypass';
const disclosure = 'Information Disclosure';
const inclusion = 'File Inclusion';
const injection = 'Code Injection';
const deserialization = 'Unsafe Deserialization';
const codeExecution = 'Remote Code Execution';
const traversal = 'Path Traversal';
const upload = 'Dangerous File Upload';

export const newerSoftware: readonly Software[] = [
	createSoftware('Adobe ColdFusion', '2021.0.6', deserialization, traversal, disclosure),
	createSoftware('Adobe Commerce', '2.4.7', 'XXE', injection),
	createSoftware('Apache Airflow', '2.4.3', injection, 'Command Injection'),
	createSoftware('Apache Druid', '0.20.1', codeExecution, inclusion),
	createSoftware('Apache HTTP Server', '2.4.51', traversal, 'SSRF'),
	createSoftware(
		'Apache Log4j',
		'2.17.1',
		codeExecution,
		'Remote Code Execution (Body)',
		'Remote Code Execution (Header)',
	),
	createSoftware('Apache OFBiz', '18.12.16', bypass, codeExecution, 'SSRF'),
	createSoftware('Apache Solr', '8.11.1', codeExecution, 'SSRF'),
	createSoftware('Apache Struts', '6.3.0', codeExecution, upload, injection),
	createSoftware('Apache Superset', '2.1.0', bypass, 'SQLi'),
	createSoftware('Apache Tomcat', '9.0.99', upload, disclosure),
	createSoftware('Atlassian Bitbucket', '8.3.1', 'Command Injection'),
	createSoftware('Atlassian Confluence', '8.5.4', injection, codeExecution, 'Broken Access Control'),
	createSoftware('Atlassian Jira', '8.20.10', bypass, 'SSRF'),
	createSoftware('Cacti', '1.2.23', 'Command Injection', 'SQLi'),
	createSoftware('Citrix ADC', '13.1.49', codeExecution, disclosure, traversal),
	createSoftware('ConnectWise ScreenConnect', '23.9.8', bypass, traversal),
	createSoftware('Craft CMS', '4.4.15', codeExecution, injection),
	createSoftware('CrushFTP', '10.7.1', inclusion, bypass),
	createSoftware('Django', '4.0.6', 'SQLi'),
	createSoftware('DotNetNuke', '9.3.1', deserialization, 'SSRF'),
	createSoftware('Elasticsearch', '8.11.1', 'DoS'),
	createSoftware('F5 BIG-IP', '16.1.2', bypass, codeExecution),
	createSoftware('Fortinet FortiOS', '7.2.2', bypass, traversal),
	createSoftware('GeoServer', '2.24.4', codeExecution, 'SQLi', 'SSRF'),
	createSoftware('Ghost', '5.42.1', traversal),
	createSoftware('GitLab', '16.7.2', 'Account Takeover', injection, 'SSRF'),
	createSoftware('Grafana', '8.3.1', traversal, 'SSRF'),
	createSoftware('Ivanti Connect Secure', '22.6.2', bypass, 'Command Injection', 'SSRF'),
	createSoftware('Ivanti EPMM', '11.10.2', bypass, codeExecution),
	createSoftware('Jenkins', '2.442', inclusion, codeExecution),
	createSoftware('JetBrains TeamCity', '2023.11.4', bypass, traversal),
	createSoftware('Kibana', '8.12.1', injection),
	createSoftware('Laravel', '8.4.3', codeExecution, disclosure),
	createSoftware('ManageEngine ServiceDesk', '14.0.4', codeExecution, bypass),
	createSoftware('Metabase', '0.46.6', codeExecution, inclusion),
	createSoftware('Microsoft Exchange', '15.2.986', 'SSRF', deserialization, 'Remote Code Execution (Path)'),
	createSoftware('Microsoft SharePoint', '16.0.5487', bypass, deserialization),
	createSoftware('MOVEit Transfer', '15.0.2', 'SQLi', bypass),
	createSoftware('Next.js', '14.2.25', bypass, 'SSRF'),
	createSoftware('Node.js', '18.12.1', 'Prototype Pollution', 'Request Smuggling'),
	createSoftware('Oracle E-Business Suite', '12.2.12', upload, bypass),
	createSoftware('Oracle WebLogic', '14.1.2', codeExecution, deserialization, traversal),
	createSoftware('Palo Alto PAN-OS', '11.1.2', 'Command Injection', bypass),
	createSoftware('PHP CGI', '8.3.8', 'Argument Injection'),
	createSoftware('phpMyAdmin', '5.2.1', 'XSS', inclusion),
	createSoftware('Progress WhatsUp Gold', '23.1.3', 'SQLi', traversal),
	createSoftware('Roundcube', '1.6.4', 'XSS'),
	createSoftware('Ruby on Rails', '7.0.4', deserialization, disclosure),
	createSoftware('SAP NetWeaver', '7.50', upload, 'Request Smuggling'),
	createSoftware('Sitecore', '10.3.1', deserialization, codeExecution),
	createSoftware('SolarWinds Orion', '2024.2.1', deserialization),
	createSoftware('SonicWall SMA', '10.2.1', 'Buffer Overflow', 'SQLi'),
	createSoftware('Spring Cloud Function', '3.2.3', injection),
	createSoftware('Spring Framework', '5.3.18', injection, 'DoS'),
	createSoftware('Strapi', '4.8.0', disclosure, injection),
	createSoftware('Telerik UI', '2024.2.514', deserialization, bypass),
	createSoftware('TYPO3', '11.5.35', 'XSS', injection),
	createSoftware('Umbraco', '10.4.0', 'SSRF'),
	createSoftware('VMware vCenter', '7.0.3', upload, 'SSRF'),
	createSoftware('VMware Workspace ONE', '22.9.1', 'Server-side Template Injection', bypass),
	createSoftware('WordPress:Plugin:Elementor', '3.11.7', 'Broken Access Control', upload),
	createSoftware('WordPress:Plugin:LiteSpeed Cache', '6.4.1', 'Privilege Escalation', 'XSS'),
	createSoftware('WordPress:Plugin:Really Simple Security', '9.1.2', bypass),
	createSoftware('WordPress:Plugin:WooCommerce Payments', '5.6.2', bypass, 'Privilege Escalation'),
	createSoftware('Zimbra', '9.0.1', traversal, 'SSRF', 'XSS'),
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

function createSoftware(name: string, fixedVersion: string, ...attacks: readonly string[]): Software {
	return {name, fixedVersion, attacks};
}
