import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import type {Ended} from '../../support/ledge.ts';
import {
	edited,
	isPut,
	type MigratingZone,
	migratingZone,
	override,
	proposed,
} from '../../support/migration.ts';

/** A situation, the command that prints next steps in it, and what each leads to. */
type Situation = {
	readonly of: Parameters<typeof migratingZone>[0];
	/** Brings the zone there. */
	readonly begin?: (zone: MigratingZone) => Promise<unknown>;
	readonly asks: (zone: MigratingZone) => readonly string[];
	/** The words of the commands that are printed, and the exit codes that they end with, in their order. */
	readonly prints: readonly (readonly [word: string, ...codes: readonly number[]])[];
	/** What was promised, once the commands have run. */
	readonly ends?: (zone: MigratingZone) => Promise<unknown>;
};

const digits = computeFingerprint(proposed);
const overrides = [override('1'.repeat(32)), override('2'.repeat(32))];
const isComplete = async (zone: MigratingZone) => expect((await zone.end()).stage).toBe('complete');
const isValidating = async (zone: MigratingZone) => expect((await zone.end()).stage).toBe('validation');
const lost = (zone: MigratingZone) => zone.at({is: isPut, when: 'before', does: () => 'cut'});
const lateFault = (zone: MigratingZone) => zone.at({is: isPut, when: 'after', does: () => 'cut'});
const asked = (word: string) => (zone: MigratingZone) => [
	word,
	'c.json',
	'--fingerprint',
	digits,
	'--confirm',
	zone.name,
];

const situations: Readonly<Record<string, Situation>> = {
	'check of an eligible zone': {of: {}, asks: () => ['check'], prints: [['plan', 0]]},
	'check of a zone with overrides': {
		of: {plan: 'enterprise', overrides},
		asks: () => ['check'],
		prints: [['overrides', 2]],
		ends: async zone => expect(zone.writes()).toEqual([]),
	},
	'check of a zone that is complete': {
		of: {},
		begin: zone => zone.elsewhere('pending'),
		asks: () => ['check'],
		prints: [['status', 0]],
	},
	'status of a zone that nobody touched': {of: {}, asks: () => ['status'], prints: [['plan', 0]]},
	'status of a zone that is blocked': {
		of: {plan: 'enterprise', overrides},
		asks: () => ['status'],
		prints: [['check', 5]],
	},
	'status of a zone in validation': {
		of: {plan: 'enterprise'},
		begin: zone => zone.send('validate'),
		asks: () => ['status'],
		prints: [['deploy', 0]],
		ends: isComplete,
	},
	'status of a zone that someone else put into validation': {
		of: {plan: 'enterprise'},
		begin: async zone => {
			await zone.run(['status']);
			await zone.elsewhere('validation', edited);
		},
		asks: () => ['status'],
		prints: [['plan', 0]],
	},
	'status of a complete zone': {
		of: {},
		begin: zone => zone.send('deploy'),
		asks: () => ['status'],
		prints: [['report', 0]],
	},
	'plan of a zone': {
		of: {plan: 'enterprise'},
		asks: () => ['plan'],
		prints: [
			['rehearse', 0],
			['validate', 0],
			['deploy', 0],
			['config', 0],
			['plan', 0],
		],
		ends: isComplete,
	},
	'plan of a file': {
		of: {},
		asks: () => ['plan', 'edited.json'],
		prints: [
			['rehearse', 0],
			['deploy', 0],
		],
		ends: isComplete,
	},
	'deploy of a file that was not planned': {
		of: {},
		asks: asked('deploy'),
		prints: [['plan', 0]],
	},
	'deploy of a file without a fingerprint': {
		of: {},
		asks: () => ['deploy', 'c.json'],
		prints: [['plan', 0]],
	},
	'deploy of nothing that was reviewed': {of: {}, asks: () => ['deploy'], prints: [['plan', 0]]},
	'deploy that was not confirmed': {
		of: {},
		begin: zone => zone.run(['plan', 'c.json']),
		asks: () => ['deploy', 'c.json', '--fingerprint', digits],
		prints: [['deploy', 0]],
		ends: isComplete,
	},
	'deploy of what deploys nothing': {
		of: {},
		begin: async zone => {
			writeFileSync(join(zone.cwd, 'bare.json'), JSON.stringify({name: 'default', rules: []}));
			await zone.run(['plan', 'bare.json']);
		},
		asks: zone => ['deploy', '--fingerprint', computeFingerprint({rules: []}), '--confirm', zone.name],
		prints: [['deploy', 0]],
		ends: isComplete,
	},
	'validate of a zone that has no validation': {
		of: {},
		begin: zone => zone.run(['plan', 'c.json']),
		asks: asked('validate'),
		prints: [['plan', 0]],
	},
	'deploy of a complete zone': {
		of: {},
		begin: zone => zone.send('deploy'),
		asks: asked('deploy'),
		prints: [['report', 0]],
	},
	'deploy whose PUT never arrived': {
		of: {},
		begin: async zone => {
			await zone.run(['plan', 'c.json']);
			lost(zone);
		},
		asks: asked('deploy'),
		prints: [['resume', 0]],
		ends: isComplete,
	},
	'deploy whose answer was lost': {
		of: {},
		begin: async zone => {
			await zone.run(['plan', 'c.json']);
			lateFault(zone);
		},
		asks: asked('deploy'),
		prints: [],
		ends: isComplete,
	},
	'validate that ends in validation': {
		of: {plan: 'enterprise'},
		begin: zone => zone.run(['plan', 'c.json']),
		asks: asked('validate'),
		prints: [['deploy', 0]],
		ends: isComplete,
	},
	'resume of a zone where nothing was begun': {
		of: {},
		asks: () => ['resume'],
		prints: [['status', 0]],
	},
	'resume of what someone else moved on': {
		of: {plan: 'enterprise'},
		begin: async zone => {
			await zone.run(['status']);
			await zone.run(['backup']);
			zone.faults('status=403 path=/waf/packages');
			await zone.send('deploy');
			zone.faults('');
			await zone.elsewhere('validation', edited);
		},
		asks: zone => ['resume', '--confirm', zone.name],
		prints: [
			['status', 0],
			['resume', 2],
		],
		ends: isValidating,
	},
	'report of a zone that is not complete': {
		of: {},
		asks: () => ['report'],
		prints: [['status', 0]],
	},
	'report of a zone without a backup': {
		of: {},
		begin: zone => zone.elsewhere('pending'),
		asks: () => ['report'],
		prints: [['export', 0]],
	},
	'rehearsal of a file': {of: {}, asks: () => ['rehearse', 'c.json'], prints: [['plan', 0]]},
	'rehearsal of what was planned': {
		of: {},
		begin: zone => zone.run(['plan', 'c.json']),
		asks: () => ['rehearse', 'c.json'],
		prints: [['deploy', 0]],
		ends: isComplete,
	},
	'config of a complete zone': {
		of: {},
		begin: zone => zone.send('deploy'),
		asks: () => ['config'],
		prints: [['export', 0]],
	},
	'backup that misses a part': {
		of: {},
		begin: async zone => zone.faults('status=403 times=1 path=waf/packages'),
		asks: () => ['backup'],
		prints: [['backup', 0]],
	},
	'deletion of overrides': {
		of: {plan: 'enterprise', overrides},
		asks: () => ['overrides', 'delete', ...overrides.map(({id}) => String(id)), '--yes'],
		prints: [['overrides', 0]],
		ends: async zone => expect(zone.writes().filter(write => write.startsWith('POST'))).toHaveLength(2),
	},
};

/** After what cannot be undone, the others are not those of the situation any more. */
const rank = ([word = '']: readonly string[]): number => ['validate', 'deploy'].indexOf(word);

/** The commands of a migration in what was printed, each as its words without the options that lead to the zone. */
function printed({stdout, stderr}: Ended): readonly (readonly string[])[] {
	const found = [...`${stdout}\n${stderr}`.matchAll(/ledge migration ([^`\n]+)/g)].map(([, line = '']) =>
		(line.match(/(?:'[^']*'|[^\s'])+/g) ?? []).map(word => word.replaceAll("'", '')),
	);
	return found.map(words => words.slice(0, words.indexOf('--zone-id')));
}

describe('every printed next step works as printed', () => {
	test.each(Object.entries(situations))('%s', async (_name, {of, begin, asks, prints, ends}) => {
		const zone = await migratingZone(of);
		await begin?.(zone);
		const ended = await zone.run(asks(zone));
		const commands = printed(ended);
		expect(
			commands.map(([word]) => word),
			`${ended.stdout}\n${ended.stderr}`,
		).toEqual(prints.map(([word]) => word));
		const steps = commands.map((words, index) => ({words, codes: prints[index]?.slice(1)}));
		for (const {words, codes} of steps.toSorted((one, other) => rank(one.words) - rank(other.words))) {
			const next = await zone.run(words);
			expect(codes, `${words.join(' ')}: ${next.stderr}`).toContain(next.code);
			expect(next.stderr).not.toMatch(/unknown (option|command)|missing required|too many arguments/i);
		}
		await ends?.(zone);
	});
});
