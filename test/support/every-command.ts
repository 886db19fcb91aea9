import type {Command} from 'commander';
import {ledge} from './run.ts';
import type {RunningService} from './service.ts';

const zone = 'd0e032749968114a09730950255c7c0f';
const migrating = 'acme-legacy.example';
const expression = ['--expression', 'ip.src eq 203.0.113.77'];
const inZone = ['--zone-id', zone];
/** A zone with custom rules, whose firewall rules are gone. */
const inCustomZone = ['--zone', 'done.acme.example'];
const customRule = '5f1c7a0e9b3d4c28a6e4d0b7f2913c02';
const pausedCustomRule = '5f1c7a0e9b3d4c28a6e4d0b7f2913c03';
/** A rule of the managed phase there, which is not an exception. */
const managedRule = '8f3e9c2a6d5b4e4f9c8a7d6e5b4c3f01';
const migration = () => ['--zone', 'acme.example'];
const confirmed = () => ['--zone', 'acme.example', '--confirm', 'acme.example'];

/** What the samples of the simulated service hold. */
export type SampleIds = {
	readonly namespace: string;
	readonly filter: string;
	readonly rule: string;
	readonly pausedRule: string;
};

type Words = (ids: SampleIds) => readonly string[];

const inNamespace: Words = ({namespace}) => ['--namespace-id', namespace];

/** Every command that writes to the service, with words that lead to a write. */
export const writingCommands: Readonly<Record<string, Words>> = {
	'kv namespace create': () => ['NEW', '--no-prefix'],
	'kv namespace rename': ids => [...inNamespace(ids), '--new-name', 'OTHER'],
	'kv namespace delete': inNamespace,
	'kv key put': ids => ['new', 'value', ...inNamespace(ids)],
	'kv key edit': ids => ['features', ...inNamespace(ids)],
	'kv key rename': ids => ['features', 'renamed', ...inNamespace(ids)],
	'kv key copy': ids => ['features', 'copied', ...inNamespace(ids)],
	'kv key delete': ids => ['features', ...inNamespace(ids)],
	'kv bulk put': ids => ['put.json', ...inNamespace(ids)],
	'kv bulk delete': ids => ['delete.json', ...inNamespace(ids)],
	'kv import': ids => ['put.json', ...inNamespace(ids)],
	'kv copy': ({namespace}) => ['file:put.json', `remote:${namespace}`],
	'kv rename-prefix': ids => ['features', 'renamed', ...inNamespace(ids), '--confirm', '1'],
	'kv trash restore': () => ['any'],
	'kv delete': ids => [...inNamespace(ids), '--prefix', 'features', '--confirm', '1'],
	'firewall filter create': () => [...inZone, ...expression],
	'firewall filter update': ({filter}) => [filter, ...inZone, ...expression],
	'firewall filter delete': ({filter}) => [filter, ...inZone],
	'firewall rule create': () => [...inZone, ...expression, '--action', 'block'],
	'firewall rule update': ({rule}) => [rule, ...inZone, '--description', 'other'],
	'firewall rule pause': ({rule}) => [rule, ...inZone],
	'firewall rule resume': ({pausedRule}) => [pausedRule, ...inZone],
	'firewall rule delete': ({rule}) => [rule, ...inZone, '--keep-filter'],
	'firewall emergency': () => [...inZone, ...expression, '--action', 'block'],
	'rules create': () => [...inCustomZone, ...expression, '--action', 'block'],
	'rules update': () => [customRule, ...inCustomZone, '--description', 'other'],
	'rules pause': () => [customRule, ...inCustomZone],
	'rules resume': () => [pausedCustomRule, ...inCustomZone],
	'rules move': () => [customRule, ...inCustomZone, '--last'],
	'rules delete': () => [customRule, ...inCustomZone],
	'rules restore': () => ['1', ...inCustomZone],
	'managed edit': () => [...inCustomZone, '--threshold', '25'],
	'managed exception add': () => [...inCustomZone, ...expression, '--skip', 'owasp'],
	'managed exception change': () => [managedRule, ...inCustomZone, '--description', 'other'],
	'managed exception remove': () => [managedRule, ...inCustomZone],
	'managed apply': () => [
		'managed.json',
		...inCustomZone,
		...['--fingerprint', '4f53cda18c2baa0c', '--confirm', 'done.acme.example'],
	],
	'managed restore': () => ['1', ...inCustomZone],
	'managed recreate': () => [...inCustomZone, '--item', '1'],
	'migration overrides delete': () => ['94a1d7ce5d80bd3a8c1dcd8b40eb6f0a', '--zone', migrating],
	'migration overrides restore': () => ['backup.json', '--zone', migrating],
	'migration validate': confirmed,
	'migration deploy': confirmed,
	'migration resume': confirmed,
	'jobs resume': () => ['any'],
};

/** Every command that never writes to the service. */
export const readingCommands: Readonly<Record<string, Words>> = {
	'kv namespace list': () => [],
	'kv key list': inNamespace,
	'kv key get': ids => ['features', ...inNamespace(ids)],
	'kv bulk get': ids => ['delete.json', ...inNamespace(ids)],
	'kv export': ids => [...inNamespace(ids), '--output', 'out.ndjson'],
	'kv diff': ({namespace}) => [`remote:${namespace}`, 'file:put.json'],
	'kv search': ids => ['features', ...inNamespace(ids)],
	'kv stats': inNamespace,
	'kv metrics': inNamespace,
	'kv local check': () => [],
	'kv trash list': () => [],
	'kv trash empty': () => [],
	'firewall filter list': () => inZone,
	'firewall filter get': ({filter}) => [filter, ...inZone],
	'firewall filter validate': () => ['not ssl', ...inZone],
	'firewall rule list': () => inZone,
	'firewall rule get': ({rule}) => [rule, ...inZone],
	'firewall events': () => inCustomZone,
	'firewall explain': () => ['not ssl'],
	'firewall export': () => [...inZone, '--format', 'json'],
	'rules list': () => inCustomZone,
	'rules get': () => [customRule, ...inCustomZone],
	'rules versions': () => inCustomZone,
	'managed show': () => inCustomZone,
	'managed exception list': () => inCustomZone,
	'managed catalogue': () => ['sqli', ...inCustomZone],
	'managed versions': () => inCustomZone,
	'migration check': migration,
	'migration overrides list': () => ['--zone', migrating],
	'migration config': migration,
	'migration plan': migration,
	'migration rehearse': migration,
	'migration backup': migration,
	'migration status': migration,
	'migration events': migration,
	'migration export': migration,
	'migration report': migration,
	'jobs list': () => [],
	'jobs forget': () => ['any'],
	'context list': () => [],
	'context show': () => ['prod'],
	'context use': () => ['prod'],
	'context add': () => ['another', '--zone', 'acme.example'],
	'context remove': () => ['another'],
	zones: () => [],
	whoami: () => [],
	config: () => [],
	simulate: () => ['--port', 'none'],
	completion: () => ['bash'],
	man: () => ['kv'],
	licenses: () => [],
};

/** The ids that the words of commands name. */
export async function sampleIds(env: RunningService['env']): Promise<SampleIds> {
	const json = async (...words: string[]) => {
		const {stdout, stderr} = await ledge([...words, '--json'], {env});
		if (stdout === '') throw new Error(stderr);
		return JSON.parse(stdout) as {id: string; title?: string; paused?: boolean; filter?: {id: string}}[];
	};
	const namespaces = await json('kv', 'namespace', 'list');
	const rules = await json('firewall', 'rule', 'list', ...inZone);
	const filters = await json('firewall', 'filter', 'list', ...inZone);
	const unused = filters.find(({id}) => !rules.some(({filter}) => filter?.id === id));
	return {
		namespace: namespaces.find(({title}) => title === 'CONFIG')?.id ?? '',
		rule: rules[0]?.id ?? '',
		pausedRule: rules.find(({paused}) => paused)?.id ?? '',
		filter: unused?.id ?? filters[0]?.id ?? '',
	};
}

/** The names of all commands below one that do something themselves. */
export const leaves = (command: Command, words: readonly string[] = []): readonly string[] =>
	command.commands.length === 0
		? [words.join(' ')]
		: command.commands.flatMap(one => leaves(one, [...words, one.name()]));
