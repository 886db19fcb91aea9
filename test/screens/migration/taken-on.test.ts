import {describe, expect, test} from 'vitest';
import {describeUnvalidatedReview} from '../../../source/migration/machine/observation.ts';
import {listMigrationChoices} from '../../../source/screens/migration/choices.ts';
import {getResumeStep, listStepMarks} from '../../../source/screens/migration/state.ts';
import {buildPut, migrationWith, now, rehearsal} from '../support/migration.ts';
import {acme, buildZone, createMigratingPerson, shop} from '../support/migration-store.ts';

const checkZone = buildZone('c4e8a1f05b3d4c7e8f9a0b1c2d3e4f52', 'check.acme.example', 'enterprise');
const turningZone = buildZone('5d2f8e1c4a7b4d3f9e6c0a1b2c3d4e63', 'turning.acme.example', 'pro');

type Person = Awaited<ReturnType<typeof createMigratingPerson>>;

const getStepMarks = (person: Person) =>
	Object.fromEntries(listStepMarks(person.migration()).map(({step, mark}) => [step, mark]));

/** A zone in validation whose configuration was edited and reviewed again after it was sent. */
async function reviewAnotherConfiguration(): Promise<Person> {
	const person = await createMigratingPerson(acme);
	await person.goToConfirmation('validation first');
	await person.confirm(acme.name);
	await person.choose('review');
	person.state().migration.applyEdit({kind: 'paranoia level', level: 4});
	await person.state().migration.waitForReviewDrops();
	await person.enter();
	await person.enter();
	expect([person.migration().step, person.migration().record.state]).toEqual(['watch', 'validating']);
	return person;
}

describe('a zone migrated by someone else, opened for the first time', () => {
	test('is watched if the previous version is being turned off', async () => {
		const person = await createMigratingPerson(turningZone);
		void person.choose('read');
		await person.testStore.until(({migration: {data: migration}}) => migration?.phase.name === 'watching');
		expect([person.migration().step, person.migration().record.state]).toEqual(['watch', 'finishing']);
		const passedMarks = {review: 'skipped', edit: 'skipped', confirm: 'skipped', deploy: 'done'};
		expect(getStepMarks(person)).toMatchObject(passedMarks);
	});

	test('goes to the watch step if both versions are on', async () => {
		const person = await createMigratingPerson(checkZone);
		await person.choose('read');
		expect([person.migration().step, person.migration().record.state]).toEqual([
			'watch',
			'validating unreviewed',
		]);
		expect(getStepMarks(person)).toMatchObject({
			review: 'skipped',
			path: 'skipped',
			confirm: 'skipped',
			validate: 'done',
			watch: 'now',
			deploy: 'to come',
			done: 'to come',
		});
		await person.choose('review');
		expect(person.migration().step).toBe('review');
		expect(person.migration().plan?.edits).toEqual([]);
		expect(person.state().migration.goBack()).toBe(true);
		expect(person.migration().step).toBe('watch');
	});

	test('reaches its review from the watch step although none of it was read yet', async () => {
		const person = await createMigratingPerson(checkZone);
		await person.choose('read');
		person.testStore.store.setState({
			migration: {
				...person.testStore.store.getState().migration,
				data: {...person.migration(), configuration: undefined},
			},
		});
		await person.choose('review');
		expect([person.migration().step, person.migration().failure]).toEqual(['review', undefined]);
	});
});

describe('in validation', () => {
	test('esc at the point of no return goes back to the watch step, and the end can be reached again', async () => {
		const person = await createMigratingPerson(checkZone);
		await person.choose('read');
		await person.choose('review');
		await person.enter();
		await person.choose('ready to update');
		await person.choose('turn off previous version');
		expect(person.state().migration.goBack()).toBe(true);
		expect([person.migration().step, person.migration().record.state]).toEqual(['watch', 'ready to update']);
		expect(person.state().migration.goBack()).toBe(false);
		await person.choose('turn off previous version');
		await person.confirm(checkZone.name);
		expect([person.migration().step, person.migration().record.state]).toEqual(['done', 'complete']);
	});

	test('an unvalidated configuration is reported, and can be validated until it is confirmed', async () => {
		const person = await reviewAnotherConfiguration();
		expect(describeUnvalidatedReview(person.migration().record)).toContain('never validated');
		await person.choose('ready to update');
		expect(describeUnvalidatedReview(person.migration().record)).toContain('never validated');
		await person.choose('validation first');
		expect(person.migration().step).toBe('rehearse');
		expect(person.state().migration.goBack()).toBe(true);
		expect(person.migration().step).toBe('watch');
		await person.choose('validation first');
		await person.choose('without rehearsal');
		await person.confirm(acme.name);
		expect(person.migration().record.state).toBe('validating');
		expect(describeUnvalidatedReview(person.migration().record)).toBeUndefined();
		expect(person.choices()).not.toContain('validation first');
		expect(person.countPuts()).toBe(2);
	});

	test('marked as done resumes at the watch step, not at the confirmation, and says so', async () => {
		const first = await createMigratingPerson(checkZone);
		await first.choose('read');
		await first.choose('review');
		await first.enter();
		await first.choose('ready to update');
		first.state().migration.leave();
		const person = await createMigratingPerson(checkZone, first.testStore);
		expect(listMigrationChoices(person.migration())[0]?.label).toBe(
			'Continue: both versions are on; validation marked done',
		);
		await person.choose('continue');
		expect([person.migration().step, person.migration().record.state]).toEqual(['watch', 'ready to update']);
	});

	test('the configuration can still be changed after it was marked as ready', async () => {
		const person = await createMigratingPerson(checkZone);
		await person.choose('read');
		await person.choose('review');
		await person.enter();
		await person.choose('ready to update');
		await person.choose('review');
		expect(person.migration().step).toBe('review');
		expect(getStepMarks(person)).toMatchObject({
			review: 'now',
			edit: 'to come',
			rehearse: 'to come',
			deploy: 'to come',
		});
	});
});

describe('while watching', () => {
	test('an unreachable service is shown with the time until it answers again', async () => {
		const person = await createMigratingPerson(turningZone);
		void person.choose('read');
		await person.testStore.until(({migration: {data: migration}}) => migration?.phase.name === 'watching');
		person.testStore.simulator.faults.replace('method=GET path=waf_migration status=503');
		await person.testStore.until(
			({migration: {data: migration}}) => migration?.watchStatus?.outage !== undefined,
		);
		const {watchStatus, phase} = person.migration();
		expect(phase.name).toBe('watching');
		expect(watchStatus?.outage?.failure.code).toBe('service_failed');
		person.testStore.simulator.faults.replace('');
		await person.testStore.until(
			({migration: {data: migration}}) => migration?.watchStatus?.outage === undefined,
		);
		expect(person.migration().record.state).toBe('finishing');
	});
});

/** The steps as the screen lists them, with ✓, –, ●, × and ○. */
const listPath = (person: Person): string =>
	listStepMarks(person.migration())
		.map(({step, mark}) => `${{done: '✓', skipped: '–', now: '●', failed: '×', 'to come': '○'}[mark]}${step}`)
		.join(' ');

/** What was passed, then the current step, then what is to come. */
const inOrder = /^([✓–×]\S+ )*[●×]\S+( ○\S+)*$/;

describe('the steps', () => {
	test('are in order from the first to the last, and validation comes before the deployment', async () => {
		const person = await createMigratingPerson(acme);
		const paths: string[] = [];
		const unsubscribe = person.testStore.store.subscribe(({migration: {data: migration}}) => {
			if (migration) paths.push(listPath(person));
		});
		await person.choose('read');
		await person.choose('continue');
		expect(listPath(person)).toBe(
			'✓zone ✓eligibility ✓blockers ●review ○edit ○path ○rehearse ○confirm ○deploy ○watch ○done',
		);
		person.state().migration.goToStep('edit');
		expect(listPath(person)).toBe(
			'✓zone ✓eligibility ✓blockers –review ●edit ○path ○rehearse ○confirm ○deploy ○watch ○done',
		);
		person.state().migration.goBack();
		await person.enter();
		await person.choose('validation first');
		await person.choose('rehearse');
		const passed = '✓zone ✓eligibility ✓blockers ✓review –edit ✓path';
		expect(listPath(person)).toBe(`${passed} ●rehearse ○confirm ○validate ○watch ○deploy ○done`);
		await person.choose('without rehearsal');
		await person.confirm(acme.name);
		expect(listPath(person)).toBe(`${passed} ✓rehearse ✓confirm ✓validate ●watch ○deploy ○done`);
		await person.choose('review');
		expect(listPath(person)).toBe(
			'✓zone ✓eligibility ✓blockers ●review ○edit ○path ○rehearse ○confirm ○validate ○watch ○deploy ○done',
		);
		person.state().migration.goBack();
		await person.choose('ready to update');
		await person.choose('turn off previous version');
		expect(person.migration().step).toBe('confirm');
		expect(listPath(person)).toBe(`${passed} ✓rehearse ✓confirm ✓validate ✓watch ●deploy ○done`);
		await person.confirm(acme.name);
		expect(listPath(person)).toBe(`${passed} ✓rehearse ✓confirm ✓validate ✓watch ✓deploy ●done`);
		unsubscribe();
		expect(new Set(paths).size).toBeGreaterThan(8);
		expect(paths.filter(path => !inOrder.test(path))).toEqual([]);
	});

	test.each([
		['sending validation', 'validation', 'validate'],
		['validation in doubt', 'validation', 'validate'],
		['starting validation', 'validation', 'watch'],
		['validating', 'validation', 'watch'],
		['ready to update', 'validation', 'watch'],
		['sending deploy', 'pending', 'deploy'],
		['deploy in doubt', 'pending', 'deploy'],
		['finishing', 'pending', 'deploy'],
		['complete', 'pending', 'done'],
	] as const)('continue after a resume in the state "%s"', (state, mode, current) => {
		const record = {state, put: buildPut(mode), validatingSince: now};
		const step = getResumeStep(migrationWith({record}).record);
		const marks = listStepMarks(migrationWith({record, step, goal: 'validation', rehearsal}));
		const steps = marks.map(one => one.step);
		expect(steps.slice(-4)).toEqual(['validate', 'watch', 'deploy', 'done']);
		const currentIndex = steps.indexOf(current);
		expect(marks.slice(0, currentIndex).map(({mark}) => mark)).not.toContain('to come');
		expect(['now', 'failed']).toContain(marks[currentIndex]?.mark);
		expect(new Set(marks.slice(currentIndex + 1).map(({mark}) => mark))).toEqual(
			new Set(current === 'done' ? [] : ['to come']),
		);
	});

	test('tell after a resume whether the reviewed configuration was edited and rehearsed', () => {
		const getMarks = (proposed: string, rehearsed: string | undefined) => {
			const reviewed = {fingerprint: 'f1', proposed, rules: 1, at: now};
			const record = {state: 'reviewed' as const, reviewed, rehearsed};
			const resumed = migrationWith({record, step: 'confirm', goal: 'pending', plan: undefined});
			return Object.fromEntries(listStepMarks(resumed).map(({step, mark}) => [step, mark]));
		};
		expect(getMarks('f0', 'f1')).toMatchObject({edit: 'done', rehearse: 'done'});
		expect(getMarks('f1', 'f0')).toMatchObject({edit: 'skipped', rehearse: 'skipped'});
	});

	test('left by going back are to come again, except those in the journal', async () => {
		const person = await createMigratingPerson(shop);
		await person.goToConfirmation('direct');
		expect(getStepMarks(person)).toMatchObject({review: 'done', edit: 'skipped', rehearse: 'skipped'});
		for (let back = 0; back < 3; back++) person.state().migration.goBack();
		expect(person.migration().step).toBe('review');
		expect(getStepMarks(person)).toMatchObject({
			blockers: 'done',
			review: 'now',
			edit: 'to come',
			path: 'to come',
			rehearse: 'to come',
			confirm: 'to come',
		});
	});

	test('that were completed are marked as done', async () => {
		const person = await createMigratingPerson(shop);
		await person.choose('read');
		await person.choose('continue');
		if (person.migration().step === 'blockers') await person.enter();
		person.state().migration.applyEdit({kind: 'paranoia level', level: 4});
		await person.enter();
		await person.enter();
		await person.choose('direct');
		await person.choose('rehearse');
		await person.choose('without rehearsal');
		expect(getStepMarks(person)).toMatchObject({
			review: 'done',
			edit: 'done',
			path: 'done',
			rehearse: 'done',
		});
	});
});
