import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import type {EndedRun} from '../../support/ledge.ts';
import {
	buildOverride,
	createMigratingZone,
	editedConfiguration,
	isPut,
	type MigratingZone,
	proposedConfiguration,
} from '../../support/migration.ts';

/** A situation, the command that prints next steps in it, and what each leads to. */
type Situation = {
	readonly zoneParts: Parameters<typeof createMigratingZone>[0];
	/** Brings the zone into the situation. */
	readonly prepare?: (zone: MigratingZone) => Promise<unknown>;
	readonly getWords: (zone: MigratingZone) => readonly string[];
	/** The first words of the printed commands in their order, each with its possible exit codes. */
	readonly printedSteps: readonly (readonly [word: string, ...codes: readonly number[]])[];
	/** Checks the zone after the commands have run. */
	readonly expectEffect?: (zone: MigratingZone) => Promise<unknown>;
};

const proposedFingerprint = computeFingerprint(proposedConfiguration);
const overrides = [buildOverride('1'.repeat(32)), buildOverride('2'.repeat(32))];
const expectComplete = async (zone: MigratingZone) =>
	expect((await zone.readFinalState()).stage).toBe('complete');
const expectValidating = async (zone: MigratingZone) =>
	expect((await zone.readFinalState()).stage).toBe('validation');
const losePut = (zone: MigratingZone) => zone.onCall({is: isPut, when: 'before', does: () => 'cut'});
const loseResponse = (zone: MigratingZone) => zone.onCall({is: isPut, when: 'after', does: () => 'cut'});
const createSendWords = (word: string) => (zone: MigratingZone) => [
	word,
	'c.json',
	'--fingerprint',
	proposedFingerprint,
	'--confirm',
	zone.name,
];

const situations: Readonly<Record<string, Situation>> = {
	'check of an eligible zone': {zoneParts: {}, getWords: () => ['check'], printedSteps: [['plan', 0]]},
	'check of a zone with overrides': {
		zoneParts: {plan: 'enterprise', overrides},
		getWords: () => ['check'],
		printedSteps: [['overrides', 2]],
		expectEffect: async zone => expect(zone.writes()).toEqual([]),
	},
	'check of a zone that is complete': {
		zoneParts: {},
		prepare: zone => zone.putElsewhere('pending'),
		getWords: () => ['check'],
		printedSteps: [['status', 0]],
	},
	'status of a zone that nobody touched': {
		zoneParts: {},
		getWords: () => ['status'],
		printedSteps: [['plan', 0]],
	},
	'status of a zone that is blocked': {
		zoneParts: {plan: 'enterprise', overrides},
		getWords: () => ['status'],
		printedSteps: [['check', 5]],
	},
	'status of a zone in validation': {
		zoneParts: {plan: 'enterprise'},
		prepare: zone => zone.send('validate'),
		getWords: () => ['status'],
		printedSteps: [['deploy', 0]],
		expectEffect: expectComplete,
	},
	'status of a zone that someone else put into validation': {
		zoneParts: {plan: 'enterprise'},
		prepare: async zone => {
			await zone.run(['status']);
			await zone.putElsewhere('validation', editedConfiguration);
		},
		getWords: () => ['status'],
		printedSteps: [['plan', 0]],
	},
	'status of a complete zone': {
		zoneParts: {},
		prepare: zone => zone.send('deploy'),
		getWords: () => ['status'],
		printedSteps: [['report', 0]],
	},
	'plan of a zone': {
		zoneParts: {plan: 'enterprise'},
		getWords: () => ['plan'],
		printedSteps: [
			['rehearse', 0],
			['validate', 0],
			['deploy', 0],
			['config', 0],
			['plan', 0],
		],
		expectEffect: expectComplete,
	},
	'plan of a file': {
		zoneParts: {},
		getWords: () => ['plan', 'edited.json'],
		printedSteps: [
			['rehearse', 0],
			['deploy', 0],
		],
		expectEffect: expectComplete,
	},
	'deploy of a file that was not planned': {
		zoneParts: {},
		getWords: createSendWords('deploy'),
		printedSteps: [['plan', 0]],
	},
	'deploy of a file without a fingerprint': {
		zoneParts: {},
		getWords: () => ['deploy', 'c.json'],
		printedSteps: [['plan', 0]],
	},
	'deploy of nothing that was reviewed': {
		zoneParts: {},
		getWords: () => ['deploy'],
		printedSteps: [['plan', 0]],
	},
	'deploy that was not confirmed': {
		zoneParts: {},
		prepare: zone => zone.run(['plan', 'c.json']),
		getWords: () => ['deploy', 'c.json', '--fingerprint', proposedFingerprint],
		printedSteps: [['deploy', 0]],
		expectEffect: expectComplete,
	},
	'deploy of what deploys nothing': {
		zoneParts: {},
		prepare: async zone => {
			writeFileSync(join(zone.cwd, 'bare.json'), JSON.stringify({name: 'default', rules: []}));
			await zone.run(['plan', 'bare.json']);
		},
		getWords: zone => ['deploy', '--fingerprint', computeFingerprint({rules: []}), '--confirm', zone.name],
		printedSteps: [['deploy', 0]],
		expectEffect: expectComplete,
	},
	'validate of a zone that has no validation': {
		zoneParts: {},
		prepare: zone => zone.run(['plan', 'c.json']),
		getWords: createSendWords('validate'),
		printedSteps: [['plan', 0]],
	},
	'deploy of a complete zone': {
		zoneParts: {},
		prepare: zone => zone.send('deploy'),
		getWords: createSendWords('deploy'),
		printedSteps: [['report', 0]],
	},
	'deploy whose PUT never arrived': {
		zoneParts: {},
		prepare: async zone => {
			await zone.run(['plan', 'c.json']);
			losePut(zone);
		},
		getWords: createSendWords('deploy'),
		printedSteps: [['resume', 0]],
		expectEffect: expectComplete,
	},
	'deploy whose answer was lost': {
		zoneParts: {},
		prepare: async zone => {
			await zone.run(['plan', 'c.json']);
			loseResponse(zone);
		},
		getWords: createSendWords('deploy'),
		printedSteps: [],
		expectEffect: expectComplete,
	},
	'validate that ends in validation': {
		zoneParts: {plan: 'enterprise'},
		prepare: zone => zone.run(['plan', 'c.json']),
		getWords: createSendWords('validate'),
		printedSteps: [['deploy', 0]],
		expectEffect: expectComplete,
	},
	'resume of a zone where nothing was begun': {
		zoneParts: {},
		getWords: () => ['resume'],
		printedSteps: [['status', 0]],
	},
	'resume of what someone else moved on': {
		zoneParts: {plan: 'enterprise'},
		prepare: async zone => {
			await zone.run(['status']);
			await zone.run(['backup']);
			zone.setFaults('status=403 path=/waf/packages');
			await zone.send('deploy');
			zone.setFaults('');
			await zone.putElsewhere('validation', editedConfiguration);
		},
		getWords: zone => ['resume', '--confirm', zone.name],
		printedSteps: [
			['status', 0],
			['resume', 2],
		],
		expectEffect: expectValidating,
	},
	'report of a zone that is not complete': {
		zoneParts: {},
		getWords: () => ['report'],
		printedSteps: [['status', 0]],
	},
	'report of a zone without a backup': {
		zoneParts: {},
		prepare: zone => zone.putElsewhere('pending'),
		getWords: () => ['report'],
		printedSteps: [['export', 0]],
	},
	'rehearsal of a file': {zoneParts: {}, getWords: () => ['rehearse', 'c.json'], printedSteps: [['plan', 0]]},
	'rehearsal of what was planned': {
		zoneParts: {},
		prepare: zone => zone.run(['plan', 'c.json']),
		getWords: () => ['rehearse', 'c.json'],
		printedSteps: [['deploy', 0]],
		expectEffect: expectComplete,
	},
	'config of a complete zone': {
		zoneParts: {},
		prepare: zone => zone.send('deploy'),
		getWords: () => ['config'],
		printedSteps: [['export', 0]],
	},
	'backup that misses a part': {
		zoneParts: {},
		prepare: async zone => zone.setFaults('status=403 times=1 path=waf/packages'),
		getWords: () => ['backup'],
		printedSteps: [['backup', 0]],
	},
	'deletion of overrides': {
		zoneParts: {plan: 'enterprise', overrides},
		getWords: () => ['overrides', 'delete', ...overrides.map(({id}) => String(id)), '--yes'],
		printedSteps: [['overrides', 0]],
		expectEffect: async zone =>
			expect(zone.writes().filter(write => write.startsWith('POST'))).toHaveLength(2),
	},
};

/** `validate` and `deploy` run last, because they end the situation. */
const getRunOrder = ([word = '']: readonly string[]): number => ['validate', 'deploy'].indexOf(word);

/** The printed migration commands, each as its words before `--zone-id`. */
function getPrintedCommands({stdout, stderr}: EndedRun): readonly (readonly string[])[] {
	const found = [...`${stdout}\n${stderr}`.matchAll(/ledge migration ([^`\n]+)/g)].map(([, line = '']) =>
		(line.match(/(?:'[^']*'|[^\s'])+/g) ?? []).map(word => word.replaceAll("'", '')),
	);
	return found.map(words => words.slice(0, words.indexOf('--zone-id')));
}

describe('every printed next step works as printed', () => {
	test.each(Object.entries(situations))('%s', async (_name, {
		zoneParts,
		prepare,
		getWords,
		printedSteps,
		expectEffect,
	}) => {
		const zone = await createMigratingZone(zoneParts);
		await prepare?.(zone);
		const ended = await zone.run(getWords(zone));
		const commands = getPrintedCommands(ended);
		expect(
			commands.map(([word]) => word),
			`${ended.stdout}\n${ended.stderr}`,
		).toEqual(printedSteps.map(([word]) => word));
		const steps = commands.map((words, index) => ({words, codes: printedSteps[index]?.slice(1)}));
		for (const {words, codes} of steps.toSorted(
			(one, other) => getRunOrder(one.words) - getRunOrder(other.words),
		)) {
			const next = await zone.run(words);
			expect(codes, `${words.join(' ')}: ${next.stderr}`).toContain(next.code);
			expect(next.stderr).not.toMatch(/unknown (option|command)|missing required|too many arguments/i);
		}
		await expectEffect?.(zone);
	});
});
