import {describe, expect, test} from 'vitest';
import {type Step, Stepper, type StepperProps} from '../../source/components/stepper.tsx';
import {measureColumns} from '../../source/text/columns.ts';
import {createTestApp, draw} from '../screens/support/drawn.tsx';
import {createTestStore} from '../screens/support/store.ts';

const steps: readonly Step[] = [
	{title: 'zone', state: 'done'},
	{title: 'eligibility', state: 'done'},
	{title: 'confirm', state: 'now'},
	{title: 'deploy', state: 'to come'},
	{title: 'done', state: 'to come'},
];
const border = {stepIndex: 3, lines: ['no documented', 'rollback'], shortText: 'no rollback'};

async function drawRows(props: Partial<StepperProps>, columns = 80) {
	const allProps: StepperProps = {steps, border, layout: {name: 'column', columns: 20}, ...props};
	const drawn = draw(createTestApp(createTestStore()), <Stepper {...allProps} />, {columns, rows: 24});
	await drawn.until(rows => rows.join('').includes('zone') || rows.join('').includes('step'));
	return drawn.rows().filter(row => row !== '');
}

describe('the stepper as a column', () => {
	test('marks completed, current and future steps', async () => {
		expect((await drawRows({})).map(row => row.trim())).toEqual([
			'✓ zone',
			'✓ eligibility',
			'● confirm',
			'─ no documented ─',
			'─ rollback ─',
			'○ deploy',
			'○ done',
		]);
	});

	test('marks a step that blocks progress', async () => {
		const rows = await drawRows({
			steps: [
				{title: 'zone', state: 'done'},
				{title: 'blockers', state: 'failed'},
			],
		});
		expect(rows.map(row => row.trim())).toEqual(['✓ zone', '× blockers']);
	});

	test('fits into 20 columns uncut', async () => {
		expect((await drawRows({})).join('')).not.toContain('…');
	});
});

describe('the stepper as a line', () => {
	const layout = {name: 'line'} as const;

	test('names the current step, and has a bar at the point of no return', async () => {
		expect(await drawRows({layout}, 60)).toEqual(['   step 3 of 5 · confirm  ✓✓●|○○  | no rollback']);
	});

	test('fits into 60 columns with twelve steps and the longest name', async () => {
		const twelveSteps = Array.from(
			{length: 12},
			(_, stepIndex): Step => ({
				title: stepIndex === 9 ? 'eligibility' : 'x',
				state: stepIndex < 9 ? 'done' : stepIndex === 9 ? 'now' : 'to come',
			}),
		);
		const [row = ''] = await drawRows({layout, steps: twelveSteps, border: {...border, stepIndex: 8}}, 60);
		expect(measureColumns(row)).toBeLessThanOrEqual(60);
		expect(row).toContain('no rollback');
	});
});
