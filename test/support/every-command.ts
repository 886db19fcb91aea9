import type {Command} from 'commander';
import {createProgram} from '../../source/commands/program.ts';
import {finishDeclaration, getCommandTraits} from '../../source/commands/shell/declare.ts';
import {ledge} from './run.ts';
import type {RunningService} from './service.ts';

const zone = 'd0e032749968114a09730950255c7c0f';

/** Ids of samples in the simulated service. */
export type SampleIds = {
	readonly namespace: string;
	readonly filter: string;
	readonly rule: string;
	readonly pausedRule: string;
};

type Words = (ids: SampleIds) => readonly string[];

/** A command by its words: its traits, and the arguments of a sample call. */
type SampledCommand = {
	readonly name: string;
	readonly writes: boolean;
	readonly isOffline: boolean;
	readonly words: Words;
};

/** The arguments of a sample call, in which `{name}` stands for the id of that sample. */
const parseSample =
	(sample: string): Words =>
	ids => {
		const valuesByName: Readonly<Record<string, string>> = {
			...ids,
			zone,
			customRule: '5f1c7a0e9b3d4c28a6e4d0b7f2913c02',
			pausedCustomRule: '5f1c7a0e9b3d4c28a6e4d0b7f2913c03',
		};
		return [...sample.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) =>
			(quoted ?? word).replace(/\{(\w+)\}/g, (whole, name: string) => valuesByName[name] ?? whole),
		);
	};

/** The ids that the words of commands name. */
export async function readSampleIds(env: RunningService['env']): Promise<SampleIds> {
	const runJson = async (...words: string[]) => {
		const {stdout, stderr} = await ledge([...words, '--json'], {env});
		if (stdout === '') throw new Error(stderr);
		return JSON.parse(stdout) as {id: string; title?: string; paused?: boolean; filter?: {id: string}}[];
	};
	const namespaces = await runJson('kv', 'namespace', 'list');
	const rules = await runJson('firewall', 'rule', 'list', '--zone-id', zone);
	const filters = await runJson('firewall', 'filter', 'list', '--zone-id', zone);
	const unused = filters.find(({id}) => !rules.some(({filter}) => filter?.id === id));
	return {
		namespace: namespaces.find(({title}) => title === 'CONFIG')?.id ?? '',
		rule: rules[0]?.id ?? '',
		pausedRule: rules.find(({paused}) => paused)?.id ?? '',
		filter: unused?.id ?? filters[0]?.id ?? '',
	};
}

async function readCommands(): Promise<readonly SampledCommand[]> {
	const {program} = await createProgram();
	const found: SampledCommand[] = [];
	const walk = (command: Command, names: readonly string[]) => {
		finishDeclaration(command);
		if (command.commands.length > 0) {
			for (const subcommand of command.commands) walk(subcommand, [...names, subcommand.name()]);
			return;
		}
		const {refusedByReadOnly, isOffline = false, sampleArguments = ''} = getCommandTraits(command);
		found.push({
			name: names.join(' '),
			writes: refusedByReadOnly !== undefined,
			isOffline,
			words: parseSample(sampleArguments),
		});
	};
	walk(program, []);
	return found;
}

/** Every command that does something. */
export const everyCommand = await readCommands();

/** Those that may write to the service, with words that lead to a write. */
export const writingCommands: Readonly<Record<string, Words>> = Object.fromEntries(
	everyCommand.filter(({writes}) => writes).map(({name, words}) => [name, words]),
);
