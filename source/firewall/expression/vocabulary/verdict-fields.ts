import type {Field} from './entries.ts';
import {addOn, business, enterprise, field, pro} from './field.ts';
import {arrayOf, boolean, integer, mapOf, string} from './value-type.ts';

const bot = (name: string, type: Field['type'], about: string): Field =>
	field(`cf.bot_management.${name}`, type, about, addOn);

/** What the service makes of the client: whether it is a program, and which. */
export const botFields: readonly Field[] = [
	field('cf.client.bot', boolean, 'whether the client is a known good bot'),
	field('cf.verified_bot_category', string, 'kind of the known good bot, as Search Engine Crawler'),
	field('cf.threat_score', integer, 'always 0 now; once how suspicious the address was'),
	bot('score', integer, '1 (a program for sure) to 99 (a person for sure)'),
	bot('verified_bot', boolean, 'whether the client is a verified bot'),
	bot('static_resource', boolean, 'whether a file that seldom changes is asked for'),
	bot('ja3_hash', string, 'JA3 fingerprint of the TLS client'),
	bot('ja4', string, 'JA4 fingerprint of the TLS client'),
	bot('js_detection.passed', boolean, 'whether the JavaScript test was passed'),
	bot('detection_ids', arrayOf(integer), 'ids of the detections that matched'),
	bot('corporate_proxy', boolean, 'whether a proxy of a company is between'),
	bot('signed_agent', boolean, 'whether a signed agent asks'),
];

const scan = (name: string, type: Field['type'], about: string): Field =>
	field(`cf.waf.content_scan.${name}`, type, about, addOn);

const credentials = (name: string, about: string, more: Pick<Field, 'plan'>): Field =>
	field(`cf.waf.credential_check.${name}`, boolean, about, more);

const prompt = (name: string, type: Field['type'], about: string): Field =>
	field(`cf.llm.prompt.${name}`, type, about, enterprise);

/** What the service found in the request: attacks, uploads, leaked passwords, prompts. */
export const wafFields: readonly Field[] = [
	field('cf.waf.score', integer, '1 (an attack for sure) to 99 (clean)', enterprise),
	field('cf.waf.score.sqli', integer, 'the same, for SQL injection', enterprise),
	field('cf.waf.score.xss', integer, 'the same, for cross-site scripting', enterprise),
	field('cf.waf.score.rce', integer, 'the same, for remote code execution', enterprise),
	field('cf.waf.score.class', string, 'how likely an attack is, in words', business),
	field('cf.waf.auth_detected', boolean, 'whether somebody tries to log in', enterprise),
	credentials('password_leaked', 'whether the password is known from a leak', {}),
	credentials('username_leaked', 'whether the user name is known from a leak', enterprise),
	credentials('username_and_password_leaked', 'whether both are known from one leak', pro),
	credentials(
		'username_password_similar',
		'whether a password much like it is known from a leak',
		enterprise,
	),
	scan('has_obj', boolean, 'whether the request uploads something'),
	scan('has_malicious_obj', boolean, 'whether an upload is malicious'),
	scan('num_malicious_obj', integer, 'how many uploads are malicious'),
	scan('has_failed', boolean, 'whether an upload could not be scanned'),
	scan('num_obj', integer, 'how many uploads there are'),
	scan('obj_sizes', arrayOf(integer), 'sizes of the uploads, in bytes'),
	scan('obj_types', arrayOf(string), 'media types of the uploads'),
	scan('obj_results', arrayOf(string), 'what the scan made of each upload'),
	prompt('detected', boolean, 'whether the request holds a prompt for a language model'),
	prompt('pii_detected', boolean, 'whether the prompt holds personal data'),
	prompt('pii_categories', arrayOf(string), 'kinds of personal data in the prompt'),
	prompt('unsafe_topic_detected', boolean, 'whether the prompt is about something unsafe'),
	prompt('unsafe_topic_categories', arrayOf(string), 'which unsafe topics the prompt is about'),
	prompt('injection_score', integer, '1 (injection for sure) to 99 (clean)'),
	prompt('token_count', integer, 'about how many tokens the prompt has'),
	prompt('custom_topic_categories', mapOf(integer), 'how near the prompt is to your own topics, by topic'),
	field('cf.api_gateway.auth_id_present', boolean, 'whether the request is authenticated, for an API', addOn),
	field(
		'cf.api_gateway.request_violates_schema',
		boolean,
		'whether the request breaks the schema of the API',
	),
	field('cf.api_gateway.fallthrough_detected', boolean, 'whether no endpoint of the API is meant'),
	field('cf.schema_validation.learned.violated', boolean, 'whether the request breaks a learned schema'),
	field('cf.schema_validation.uploaded.violated', boolean, 'whether the request breaks an uploaded schema'),
];
