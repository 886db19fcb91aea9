import {describe, expect, test} from 'vitest';
import {
	findPlantedStep,
	findUntrustedStep,
	type PathStatus,
	type TrustBasis,
} from '../../source/state/trust.ts';

const alice = 1000;
const bob = 1001;

/** A path of a fake file system: owner, mode, group (by default the owner's number), target of a link. */
type FakePath = readonly [
	uid: number,
	mode: number,
	more?: {readonly gid?: number; readonly target?: string},
];

/** A file system with these paths; all others belong to root. */
function createSystem(paths: Readonly<Record<string, FakePath>>, user: Partial<TrustBasis> = {}): TrustBasis {
	return {
		userIds: [alice],
		groupIds: [alice],
		...user,
		readStatus(path): PathStatus {
			const [uid, mode, {gid = uid, target} = {}] = paths[path] ?? [0, 0o755];
			return {uid, mode, gid, ...(target !== undefined && {target})};
		},
	};
}

const program = '/home/alice/shop/node_modules/.bin/wrangler';
/** A project of alice with a program that is a link, as npm makes it. */
const project: Readonly<Record<string, FakePath>> = {
	'/home/alice': [alice, 0o750],
	'/home/alice/shop': [alice, 0o755],
	'/home/alice/shop/node_modules': [alice, 0o755],
	'/home/alice/shop/node_modules/.bin': [alice, 0o755],
	[program]: [alice, 0o777, {target: '../wrangler/bin/wrangler.js'}],
	'/home/alice/shop/node_modules/wrangler': [alice, 0o755],
	'/home/alice/shop/node_modules/wrangler/bin': [alice, 0o755],
	'/home/alice/shop/node_modules/wrangler/bin/wrangler.js': [alice, 0o755],
};

describe('a program is trusted', () => {
	test.each<[string, Readonly<Record<string, FakePath>>, Partial<TrustBasis>?]>([
		['in a project of this user', {}],
		['in a project that this user has from root', {'/home/alice/shop': [0, 0o755]}],
		['below a folder of root with the sticky bit', {'/home': [0, 0o1777]}],
		['in folders that the own group can write to', {'/home/alice/shop': [alice, 0o775]}],
		[
			'in folders of the own group, of another number',
			{'/home/alice/shop': [alice, 0o775, {gid: 2000}]},
			{groupIds: [2000]},
		],
		['as root, behind sudo', {}, {userIds: [0, alice], groupIds: [0, alice]}],
		['on a system without such users', {'/home/alice': [bob, 0o777]}, {userIds: undefined}],
		[
			'behind a link to a folder',
			{'/home/alice/shop': [alice, 0o777, {target: '/srv/shop'}], '/srv/shop': [alice, 0o755]},
		],
	])('%s', (_, changedPaths, user) => {
		expect(findUntrustedStep(program, createSystem({...project, ...changedPaths}, user))).toBeUndefined();
	});
});

describe('a program is not trusted', () => {
	const folder = '/home/alice/shop';
	const packageFolder = '/home/alice/shop/node_modules/wrangler/bin';
	test.each<[string, string, FakePath, Partial<TrustBasis>?]>([
		['of another user', `${packageFolder}/wrangler.js`, [bob, 0o755]],
		['that all can write', `${packageFolder}/wrangler.js`, [alice, 0o777]],
		['that is a link of another user', program, [bob, 0o777, {target: '../wrangler/bin/wrangler.js'}]],
		['whose link leads to a folder of another user', packageFolder, [bob, 0o755]],
		['in a project of another user', folder, [bob, 0o755]],
		['far below a folder of another user', '/home', [bob, 0o755]],
		['in a folder that all can write to', folder, [alice, 0o777]],
		['in a folder of root that all can write to', '/home', [0, 0o777]],
		['in a folder that a group of others can write to', folder, [alice, 0o775, {gid: 50}]],
		['of a user, as root without sudo', '/home/alice', [alice, 0o755], {userIds: [0], groupIds: [0]}],
	])('%s', (_, path, changedPath, user) => {
		const untrustedStep = findUntrustedStep(program, createSystem({...project, [path]: changedPath}, user));
		expect(untrustedStep).toMatchObject({path, why: expect.stringContaining(path)});
	});

	test('behind a loop of links, which fails', () => {
		const system = createSystem({'/a': [alice, 0o777, {target: '/a'}]});
		expect(() => findUntrustedStep('/a/wrangler', system)).toThrow('Too many symbolic links');
	});
});

describe('a file is planted', () => {
	test.each<[string, Readonly<Record<string, FakePath>>]>([
		['by another user in /tmp', {'/tmp/wrangler.toml': [bob, 0o644]}],
		[
			'by another user in a folder that all can write to',
			{'/tmp': [0, 0o777], '/tmp/wrangler.toml': [bob, 0o644]},
		],
		[
			'in a folder of this user that others can write to',
			{'/tmp': [alice, 0o777], '/tmp/wrangler.toml': [bob, 0o644]},
		],
		[
			'in a folder of a shared group',
			{'/tmp': [alice, 0o2775, {gid: 50}], '/tmp/wrangler.toml': [bob, 0o644]},
		],
		[
			'behind a link of another user',
			{
				'/tmp/wrangler.toml': [bob, 0o777, {target: '/home/alice/wrangler.toml'}],
				'/home/alice': [alice, 0o755],
			},
		],
		[
			'behind a link of this user',
			{
				'/tmp/wrangler.toml': [alice, 0o777, {target: '/var/spool/x'}],
				'/var/spool': [0, 0o1777],
				'/var/spool/x': [bob, 0o644],
			},
		],
	])('%s', (_, paths) => {
		expect(
			findPlantedStep('/tmp', 'wrangler.toml', createSystem({'/tmp': [0, 0o1777], ...paths})),
		).toBeDefined();
	});

	test('in a folder of another user inside a folder that others can write', () => {
		const system = createSystem({
			'/tmp': [0, 0o1777],
			'/tmp/node_modules': [bob, 0o755],
			'/tmp/node_modules/.cache/wrangler/wrangler-account.json': [bob, 0o644],
		});
		expect(findPlantedStep('/tmp', 'node_modules/.cache/wrangler/wrangler-account.json', system)).toEqual({
			path: '/tmp/node_modules',
			why: '/tmp/node_modules belongs to user 1001, and others can write to /tmp: its mode is 1777.',
		});
	});
});

describe('a file is not planted', () => {
	test.each<[string, Readonly<Record<string, FakePath>>, Partial<TrustBasis>?]>([
		['of this user in /tmp', {'/p': [0, 0o1777], '/p/f': [alice, 0o644]}],
		['of root in a folder that others can write to', {'/p': [0, 0o777], '/p/f': [0, 0o644]}],
		['of another user in a folder of theirs', {'/p': [bob, 0o755], '/p/f': [bob, 0o644]}],
		[
			'of a user in a folder of theirs, as root',
			{'/p': [alice, 0o755], '/p/f': [alice, 0o644]},
			{userIds: [0], groupIds: [0]},
		],
		[
			'of a user with umask 002, as root',
			{'/p': [alice, 0o775], '/p/f': [alice, 0o664]},
			{userIds: [0], groupIds: [0]},
		],
		[
			'of another user, to which this user made a link',
			{'/p/f': [alice, 0o777, {target: '/q/f'}], '/q': [bob, 0o755], '/q/f': [bob, 0o644]},
		],
		[
			'in a folder that is a link to one of another user in /tmp',
			{
				'/p': [0, 0o777, {target: '/tmp/x'}],
				'/tmp': [0, 0o1777],
				'/tmp/x': [bob, 0o755],
				'/tmp/x/f': [bob, 0o644],
			},
		],
	])('%s', (_, paths, user) => {
		expect(findPlantedStep('/p', 'f', createSystem(paths, user))).toBeUndefined();
	});
});
