import {describe, expect, test} from 'vitest';
import {Failure, type FailureCode, isFailure} from '../../source/failure.ts';
import {fingerprint} from '../../source/migration/configuration.ts';
import {createFlow, type FlowStep, type MigrationFlow} from '../../source/migration/flow.ts';
import {type MigrationJournal, memoryJournal} from '../../source/migration/journal.ts';
import type {MigrationState} from '../../source/migration/machine.ts';
import {resume} from '../../source/migration/resume.ts';
import type {MigrationZone} from '../../source/migration/snapshot.ts';
import type {Mode} from '../../source/migration/stage.ts';
import {failureOf} from '../kv/support/workspace.ts';
import {never} from '../service/scripted-transport.ts';
import {createFakeZone, edited, type FakeZone, foreign, proposal, shown, zone} from './support/fake-zone.ts';

const work = {signal: never};
const confirmation = () => ({zone: zone.name});
const minutes = (count: number) => count * 60_000;

function open({
	dryRun = false,
	...more
}: {
	readonly zone?: MigrationZone;
	readonly readOnly?: boolean;
	readonly dryRun?: boolean;
} = {}) {
	const service = createFakeZone({dryRun});
	const kept: MigrationState[] = [];
	let full = false;
	let lost = false;
	const memory = memoryJournal({place: 'simulated', zone});
	const journal: MigrationJournal = {
		...memory,
		get record() {
			return memory.record;
		},
		snapshot() {
			if (lost) return undefined;
			return memory.snapshot();
		},
		async keep(record) {
			if (full)
				throw new Failure('file_failed', 'The journal cannot be written.', {why: 'The disk is full.'});
			kept.push(record.state);
			return memory.keep(record);
		},
	};
	const flow = createFlow({client: service.client, zone, journal, ...more});
	return {
		service,
		flow,
		kept,
		loseBackup() {
			lost = true;
		},
		fill(is: boolean) {
			full = is;
		},
	};
}

async function reviewed(flow: MigrationFlow, goal: Mode = 'pending') {
	await flow.look(work);
	await flow.review(edited, shown(flow), goal);
}

async function validating({flow}: {readonly flow: MigrationFlow}) {
	await reviewed(flow, 'validation');
	await flow.send('validation', confirmation(), work);
	await flow.watch(work);
	expect(flow.record.state).toBe('validating');
}

/** Fails with this code, and nothing is sent. */
async function expectRefused(
	service: FakeZone,
	promise: Promise<unknown>,
	code: FailureCode,
): Promise<Failure> {
	const puts = service.puts.length;
	const failure = await failureOf(promise);
	if (!isFailure(failure)) throw failure;
	expect(failure.code).toBe(code);
	expect(service.puts).toHaveLength(puts);
	return failure;
}

describe('before a PUT', () => {
	test.each(['', 'acme.exampl', 'Acme.Example', 'other.example'])('"%s" does not confirm it', async typed => {
		const {service, flow} = open();
		await reviewed(flow);
		await expectRefused(service, flow.send('pending', {zone: typed}, work), 'unconfirmed');
		expect(flow.record.state).toBe('reviewed');
	});

	test('a confirmation that was used confirms nothing more', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		const once = confirmation();
		service.truth.onCall = ({isPut}) => (isPut ? '400' : undefined);
		await failureOf(flow.send('pending', once, work));
		expect(flow.record.state).toBe('reviewed');
		await expectRefused(service, flow.send('pending', once, work), 'unconfirmed');
	});

	test('a confirmation serves for one sending only, though nothing went out', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		const once = confirmation();
		service.truth.proposal = foreign;
		await expectRefused(service, flow.send('pending', once, work), 'changed_meanwhile');
		service.truth.proposal = proposal;
		await expectRefused(service, flow.send('pending', once, work), 'unconfirmed');
	});

	test('one confirmation given to two sendings at once sends one', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		const once = confirmation();
		await Promise.allSettled([flow.send('pending', once, work), flow.send('pending', once, work)]);
		expect(service.puts).toHaveLength(1);
	});

	test('it is in the journal that it goes out, and afterwards what came of it', async () => {
		const {service, flow, kept} = open();
		await reviewed(flow);
		let keptBefore: MigrationState | undefined;
		service.truth.onCall = ({isPut}) => {
			if (isPut) keptBefore = kept.at(-1);
			return undefined;
		};
		await flow.send('pending', confirmation(), work);
		expect(keptBefore).toBe('sending deploy');
		expect(kept.at(-1)).toBe('finishing');
	});

	test('a dry run reads and shows it, and keeps and sends nothing', async () => {
		const {service, flow, kept} = open({dryRun: true});
		await reviewed(flow);
		const before = kept.length;
		await flow.send('pending', confirmation(), work);
		expect(service.planned).toEqual([expect.stringContaining('waf_migration=pending')]);
		expect(service.puts).toHaveLength(0);
		expect(kept).toHaveLength(before);
		expect(flow.record.state).toBe('reviewed');
		expect(flow.journal.snapshot()).toBeUndefined();
	});

	test('a full disk stops it, with words', async () => {
		const {service, flow, fill} = open();
		await reviewed(flow);
		await flow.backUp(work);
		fill(true);
		const failure = await expectRefused(service, flow.send('pending', confirmation(), work), 'file_failed');
		expect(failure.details.left).toContain('Nothing was sent');
		expect(flow.record.state).toBe('reviewed');
	});

	test('nothing reviewed, nothing sent', async () => {
		const {service, flow} = open();
		await flow.look(work);
		await expectRefused(service, flow.send('pending', confirmation(), work), 'unreviewed');
	});

	test('an edit after the review has to be reviewed', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		await flow.edit();
		await expectRefused(service, flow.send('pending', confirmation(), work), 'unreviewed');
	});

	test('a proposal that has changed since the review stops it', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		service.truth.proposal = foreign;
		await expectRefused(service, flow.send('pending', confirmation(), work), 'changed_meanwhile');
	});

	test('an entry point that someone made since the review stops it', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		service.save(foreign, 'start');
		await expectRefused(service, flow.send('pending', confirmation(), work), 'changed_meanwhile');
	});

	test('a validation that someone began in the dashboard stops it, and is shown', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		service.save(foreign, 'validation');
		await expectRefused(service, flow.send('pending', confirmation(), work), 'changed_meanwhile');
		expect(flow.record.state).toBe('moved on');
		await flow.takeOver(work);
		expect(flow.record.state).toBe('validating unreviewed');
		await expectRefused(service, flow.send('pending', confirmation(), work), 'unreviewed');
	});

	test('a zone that is not eligible gets nothing, whoever confirms it', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		service.truth.compatible = false;
		for (const mode of ['pending', 'validation'] as const)
			await expectRefused(service, flow.send(mode, confirmation(), work), 'not_eligible');
	});

	const bypass = (id: string, expression = 'true') => ({
		id,
		action: 'bypass',
		products: ['waf'],
		paused: true,
		filter: {id: `f${id}`, expression, paused: false},
	});
	const further = {withoutRulesets: true, incompleteBackup: true};

	test.each([
		[
			'201 bypassing firewall rules',
			'at most 200',
			{firewallRules: Array.from({length: 201}, (_, at) => bypass(`r${at}`))},
		],
		[
			'an expression over 4,096 bytes',
			'over 4096 bytes',
			{firewallRules: [bypass('long', `"${'é'.repeat(2048)}"`)]},
		],
		['URI-based overrides', '1 URI-based override', {overrides: [{id: 'o1', urls: ['acme.example/*']}]}],
	])('%s stop it though the check says compatible, and are named', async (_what, sentence, there) => {
		for (const mode of ['pending', 'validation'] as const) {
			const {service, flow} = open();
			await reviewed(flow, mode);
			Object.assign(service.truth, there);
			const sending = flow.send(mode, {...confirmation(), ...further}, work);
			const failure = await expectRefused(service, sending, 'not_eligible');
			expect(failure.details.why).toContain(sentence);
			expect(failure.details.next).toContain('ledge migration check');
		}
	});

	test('URI-based overrides that are back in validation do not stop its end', async () => {
		const opened = open();
		await validating(opened);
		const {service, flow} = opened;
		service.truth.overrides = [{id: 'o1', urls: ['acme.example/*']}];
		await flow.ready();
		await flow.send('pending', confirmation(), work);
		expect(service.puts).toHaveLength(2);
	});

	test('firewall rules that came in validation stop its end', async () => {
		const opened = open();
		await validating(opened);
		const {service, flow} = opened;
		await flow.ready();
		service.truth.firewallRules = [bypass('long', 'x'.repeat(4097))];
		await expectRefused(service, flow.send('pending', confirmation(), work), 'not_eligible');
	});

	test('what was not shown at the review stops it, though ledge has seen it since', async () => {
		const {service, flow} = open();
		await flow.look(work);
		const basis = shown(flow);
		service.save(foreign, 'start');
		await flow.look(work);
		await flow.review(edited, basis, 'pending');
		await expectRefused(service, flow.send('pending', confirmation(), work), 'changed_meanwhile');
		await flow.review(edited, shown(flow), 'pending');
		await flow.send('pending', confirmation(), work);
		expect(service.puts).toHaveLength(1);
	});

	test('rules in validation that were not shown at the review stop its end', async () => {
		const {service, flow} = open();
		service.save(proposal, 'validation');
		await flow.look(work);
		const basis = shown(flow);
		service.save(foreign, 'validation');
		await flow.look(work);
		expect(flow.record.state).toBe('validating unreviewed');
		await flow.review(edited, basis, 'pending');
		await flow.ready();
		await expectRefused(service, flow.send('pending', confirmation(), work), 'changed_meanwhile');
	});

	test('a zone that was at another stage while it was backed up gets nothing', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		service.truth.stage = 'complete';
		const onStep = ({does}: FlowStep) => {
			if (does === 'reading') service.truth.stage = 'start';
		};
		const sending = flow.send('pending', confirmation(), {...work, onStep});
		const failure = await expectRefused(service, sending, 'changed_meanwhile');
		expect(failure.message).toContain('since it was backed up');
	});

	test('a proposal that was not the one shown stops it', async () => {
		const {service, flow} = open();
		await flow.look(work);
		await flow.review(edited, {...shown(flow), proposed: fingerprint(foreign)}, 'pending');
		await expectRefused(service, flow.send('pending', confirmation(), work), 'changed_meanwhile');
	});

	test('a name that the zone has not by itself stops it: no fingerprint and no plan shows it', async () => {
		const {service, flow} = open();
		await flow.look(work);
		await flow.review({...edited, name: 'something else'}, shown(flow), 'pending');
		const failure = await expectRefused(
			service,
			flow.send('pending', confirmation(), work),
			'input_malformed',
		);
		expect(failure.details.next).toContain('"name": "default"');
	});

	test.each([
		[9_000, 1],
		[11_000, 0],
	])('held back by the quota for %i ms after the last look, it leaves %i times', async (held, puts) => {
		const {service, flow} = open();
		await reviewed(flow);
		// As though the queue had held it: the clock goes on between the journal and the PUT.
		const sends = () => service.pace.advance(held);
		const sent = flow.send('pending', confirmation(), {...work, sends});
		if (puts === 1) await sent;
		else {
			const failure = await expectRefused(service, sent, 'changed_meanwhile');
			expect(failure.details.doubtful).toBeUndefined();
			expect(flow.record.put).toBeUndefined();
			expect(flow.record.state).toBe('reviewed');
		}
		expect(service.puts).toHaveLength(puts);
	});

	test.each(['pro', 'business'] as const)('validation is refused for a zone of the %s plan', async plan => {
		const {service, flow} = open({zone: {...zone, plan}});
		await reviewed(flow, 'validation');
		await expectRefused(service, flow.send('validation', confirmation(), work), 'plan_lacks');
	});

	test('a zone of a plan that nobody could read may try validation', async () => {
		const {flow} = open({zone: {...zone, plan: undefined}});
		await reviewed(flow, 'validation');
		await flow.send('validation', confirmation(), work);
		expect(flow.record.state).toBe('validating');
	});

	test('a read-only ledge sends nothing, and says so before it reads', async () => {
		const {service, flow} = open({readOnly: true});
		await reviewed(flow);
		const calls = service.calls();
		await expectRefused(service, flow.send('pending', confirmation(), work), 'read_only');
		expect(service.calls()).toBe(calls);
	});

	test('a configuration that deploys nothing wants a further word', async () => {
		const {service, flow} = open();
		const off = {...edited, rules: edited.rules.map(rule => ({...rule, enabled: false}))};
		await flow.look(work);
		await flow.review(off, shown(flow), 'pending');
		await expectRefused(service, flow.send('pending', confirmation(), work), 'unconfirmed');
		await flow.send('pending', {...confirmation(), withoutRulesets: true}, work);
		expect(service.puts).toHaveLength(1);
	});

	test('a backup is made of what is there just before it, whenever the last one was made', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		await flow.backUp(work);
		await service.pace.wait(minutes(1), never);
		service.truth.pageRules.push({id: 'changed meanwhile'});
		await flow.send('pending', confirmation(), work);
		expect(flow.journal.snapshot()?.pageRules).toEqual([{id: 'changed meanwhile'}]);
	});

	test('a backup that holds just what is there stays the one', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		const kept = await flow.backUp(work);
		await service.pace.wait(minutes(61), never);
		await flow.send('pending', confirmation(), work);
		expect(flow.record.backup).toBe(kept);
	});

	test('a backup that cannot be read any more is made anew', async () => {
		const {flow, loseBackup} = open();
		await reviewed(flow);
		const kept = await flow.backUp(work);
		loseBackup();
		await flow.send('pending', confirmation(), work);
		expect(flow.record.backup).not.toBe(kept);
		expect(flow.record.state).toBe('finishing');
	});

	test('a zone that went on while it was read is told so, and its backup stays that of before', async () => {
		const opened = open();
		await validating(opened);
		const {service, flow} = opened;
		await flow.ready();
		const kept = flow.record.backup;
		service.truth.stage = 'complete';
		service.truth.withheld.push('firewall/waf/packages', 'settings/waf');
		await expectRefused(service, flow.send('pending', confirmation(), work), 'changed_meanwhile');
		expect(flow.record).toMatchObject({state: 'moved on', backup: kept});
	});

	test('a backup that lacks what will be lost wants a further word', async () => {
		const {service, flow} = open();
		service.truth.withheld.push('firewall/waf/packages');
		await reviewed(flow);
		const failure = await expectRefused(service, flow.send('pending', confirmation(), work), 'unconfirmed');
		expect(failure.details.why).toContain('previous managed rules');
		await flow.send('pending', {...confirmation(), incompleteBackup: true}, work);
		expect(service.puts).toHaveLength(1);
	});

	test('firewall rules that cannot be read want it, too: by them it is told whether the zone is eligible', async () => {
		const {service, flow} = open();
		service.truth.withheld.push('firewall/rules');
		await reviewed(flow);
		const failure = await expectRefused(service, flow.send('pending', confirmation(), work), 'unconfirmed');
		expect(failure.details.next).toContain('was not checked');
	});

	test('deploying from validation wants "Ready to update"', async () => {
		const opened = open();
		await validating(opened);
		await expectRefused(opened.service, opened.flow.send('pending', confirmation(), work), 'usage');
	});

	test('a complete migration sends nothing more', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		await flow.send('pending', confirmation(), work);
		await flow.watch(work);
		for (const mode of ['pending', 'validation'] as const)
			await expectRefused(service, flow.send(mode, confirmation(), work), 'already_migrated');
	});
});

describe('after a PUT', () => {
	test('a refusal is told with what is there, and the configuration can be sent again', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		service.truth.onCall = ({isPut}) => (isPut ? '400' : undefined);
		const failure = await failureOf(flow.send('pending', confirmation(), work));
		expect(isFailure(failure, 'refused_by_service') && failure.details.left).toContain(
			'previous version only',
		);
		expect(flow.record.state).toBe('reviewed');
		expect(flow.record.put?.came).toBe('refused');
	});

	test('a journal that cannot be written is told, and the zone is looked at', async () => {
		const {service, flow, fill} = open();
		await reviewed(flow);
		await flow.backUp(work);
		service.truth.onCall = ({isPut}) => {
			if (isPut) fill(true);
			return undefined;
		};
		const failure = await failureOf(flow.send('pending', confirmation(), work));
		expect(isFailure(failure, 'file_failed') && failure.details.left).toContain('the service took it');
		expect(isFailure(failure) && failure.details.left).toContain('Looked afterwards');
		expect(flow.journal.record.state).toBe('sending deploy');
		fill(false);
		await flow.watch(work);
		expect(flow.journal.record.state).toBe('complete');
	});

	test('what never arrived is looked for five minutes long, and then wants a new confirmation', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		service.truth.onCall = ({isPut}) => (isPut ? 'reset before' : undefined);
		const began = service.pace.now();
		const steps: FlowStep[] = [];
		await flow.send('pending', confirmation(), {...work, onStep: step => void steps.push(step)});
		expect(service.pace.now() - began).toBeGreaterThanOrEqual(minutes(5));
		expect(steps.filter(({does}) => does === 'looking').length).toBeGreaterThan(10);
		expect(flow.record).toMatchObject({state: 'reviewed', put: {came: 'given up'}});
		expect(service.puts).toHaveLength(0);
	});

	test('nothing that cannot be read for five minutes is given up', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		let isSent = false;
		service.truth.onCall = ({isPut}) => {
			isSent ||= isPut;
			return isSent ? 'reset before' : undefined;
		};
		const failure = await failureOf(flow.send('pending', confirmation(), work));
		expect(isFailure(failure) && failure.details.doubtful).toBe(true);
		expect(flow.record.state).toBe('deploy in doubt');
		await expectRefused(service, flow.send('pending', confirmation(), work), 'job_running');
	});

	test('a confirmation given before the doubt does not send it again', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		let cut = true;
		service.truth.onCall = ({isPut}) => (isPut && cut ? 'reset before' : undefined);
		const failure = await failureOf(resume(flow, {confirmation: confirmation()}, work));
		expect(isFailure(failure, 'unconfirmed') && failure.details.next).toContain(
			'resume --confirm acme.example',
		);
		expect(service.puts).toHaveLength(0);
		cut = false;
		const {record, did} = await resume(flow, {confirmation: confirmation()}, work);
		expect(record.state).toBe('complete');
		expect(did).toEqual(['looked', 'sent', 'watched']);
	});

	test('a confirmation that comes with a doubt of an earlier process does not send it again either', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		const controller = new AbortController();
		service.truth.onCall = ({isPut}) => {
			if (isPut) controller.abort();
			return isPut ? 'reset before' : undefined;
		};
		await failureOf(flow.send('pending', confirmation(), {signal: controller.signal}));
		expect(flow.record.state).toBe('deploy in doubt');
		service.truth.onCall = () => undefined;
		await expectRefused(service, resume(flow, {confirmation: confirmation()}, work), 'unconfirmed');
		expect(flow.record).toMatchObject({state: 'reviewed', put: {came: 'given up'}});
	});

	test('the audit log hears of what was sent and of what took effect', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		service.truth.onCall = ({isPut}) => (isPut ? 'answer lost' : undefined);
		const heard: string[] = [];
		await flow.send('pending', confirmation(), {
			...work,
			sends: what => void heard.push(`sends ${what}`),
			wrote: what => void heard.push(`wrote ${what}`),
		});
		expect(heard.map(line => line.slice(0, 6))).toEqual(['sends ', 'wrote ']);
	});
});

describe('while the service shows what is older', () => {
	test.each([
		'status',
		'entry point',
	] as const)('a %s that lags behind is no work of someone else', async what => {
		for (const goal of ['pending', 'validation'] as const) {
			const {service, flow} = open();
			await reviewed(flow, goal);
			let old = 12;
			service.truth.shows = shown =>
				service.puts.length > 0 && shown === what && old-- > 0 ? 'before' : 'now';
			await flow.send(goal, confirmation(), work);
			await flow.watch(work);
			expect(flow.record.state).toBe(goal === 'pending' ? 'complete' : 'validating');
		}
	});

	test('the same configuration deployed after validation is finishing, and then complete', async () => {
		const opened = open();
		await validating(opened);
		const {flow, service} = opened;
		await flow.ready();
		let old = 3;
		service.truth.shows = shown =>
			service.puts.length > 1 && shown === 'status' && old-- > 0 ? 'before' : 'now';
		await flow.send('pending', confirmation(), work);
		expect(flow.record.state).toBe('finishing');
		await flow.watch(work);
		expect(flow.record.state).toBe('complete');
	});

	test('one reading that surprises is read again before it counts', async () => {
		const opened = open();
		await validating(opened);
		const {flow, service} = opened;
		// Both answers that name the state come from a replica that is behind, once.
		let old = 2;
		service.truth.shows = shown => (shown === 'status' && old-- > 0 ? 'before' : 'now');
		await flow.look(work);
		expect(flow.record.state).toBe('validating');
	});
});

describe('in validation', () => {
	test('an edited configuration is validated anew, and is then what is in validation', async () => {
		const opened = open();
		await validating(opened);
		const {flow, service} = opened;
		await flow.edit();
		await flow.review(foreign, shown(flow), 'validation');
		await flow.send('validation', confirmation(), work);
		await flow.watch(work);
		expect(flow.record.state).toBe('validating');
		expect(flow.record.seen?.entryPoint?.fingerprint).toBe(fingerprint(foreign));
		expect(service.puts.map(({mode}) => mode)).toEqual(['validation', 'validation']);
	});

	test('an edited configuration whose PUT never arrived leaves the one before in validation', async () => {
		const opened = open();
		await validating(opened);
		const {flow, service} = opened;
		await flow.review(foreign, shown(flow), 'validation');
		service.truth.onCall = ({isPut}) => (isPut ? 'reset before' : undefined);
		await flow.send('validation', confirmation(), work);
		expect(flow.record).toMatchObject({state: 'validating', put: {came: 'given up'}});
		expect(flow.record.seen?.entryPoint?.fingerprint).toBe(fingerprint(edited));
	});

	test('rules that someone changed in the dashboard are noticed, and nothing is sent', async () => {
		const opened = open();
		await validating(opened);
		const {flow, service} = opened;
		await flow.ready();
		service.save(foreign, 'validation');
		await expectRefused(service, flow.send('pending', confirmation(), work), 'changed_meanwhile');
		expect(flow.record.state).toBe('moved on');
	});

	test('the end that someone made in the dashboard is noticed', async () => {
		const opened = open();
		await validating(opened);
		opened.service.truth.stage = 'complete';
		await opened.flow.look(work);
		expect(opened.flow.record.state).toBe('moved on');
		await opened.flow.takeOver(work);
		expect(opened.flow.record.state).toBe('complete');
	});
});

describe('what the service took and never does', () => {
	test('can be taken over by a person, but only after an hour', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		service.truth.shows = what => (what === 'status' && service.puts.length > 0 ? 'before' : 'now');
		await flow.send('pending', confirmation(), work);
		expect(flow.record.state).toBe('finishing');
		await expectRefused(service, flow.takeOver(work), 'job_running');
		await flow.watch(work);
		expect(flow.record.state).toBe('finishing');
		await flow.takeOver(work);
		expect(flow.record.state).toBe('eligible');
		expect(flow.record.reviewed).toBeUndefined();
	});
});

describe('watching', () => {
	test('settles first what is in doubt', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		const controller = new AbortController();
		service.truth.onCall = ({isPut}) => {
			if (isPut) controller.abort();
			return isPut ? 'answer lost' : undefined;
		};
		const failure = await failureOf(flow.send('pending', confirmation(), {signal: controller.signal}));
		expect(isFailure(failure, 'interrupted') && failure.details.left).toContain('not known');
		expect(flow.record.state).toBe('deploy in doubt');
		await flow.watch(work);
		expect(flow.record.state).toBe('complete');
		expect(service.puts).toHaveLength(1);
	});

	test('ends after an hour, ever more seldom', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		service.truth.shows = what => (what === 'status' && service.puts.length > 0 ? 'before' : 'now');
		await flow.send('pending', confirmation(), work);
		const began = service.pace.now();
		const looks: FlowStep[] = [];
		await flow.watch({...work, onStep: step => void (step.does === 'watching' && looks.push(step))});
		expect(service.pace.now() - began).toBeLessThan(minutes(62));
		expect(looks.length).toBeLessThan(80);
	});

	test('outlives a service that cannot be reached for a while', async () => {
		const {service, flow} = open();
		await reviewed(flow);
		await flow.send('pending', confirmation(), work);
		const from = service.calls();
		service.truth.onCall = ({number}) => (number - from < 40 ? 'reset before' : undefined);
		await flow.watch(work);
		expect(flow.record.state).toBe('complete');
	});
});
