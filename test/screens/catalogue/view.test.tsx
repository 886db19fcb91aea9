import {describe, expect, test} from 'vitest';
import {getTheme} from '../../../source/components/theme.ts';
import type {ManagedContents} from '../../../source/migration/zone/managed-contents.ts';
import type {CatalogueRequest} from '../../../source/screens/catalogue/state.ts';
import {Catalogue, formatCatalogueStatus} from '../../../source/screens/catalogue/view.tsx';
import {measureColumns} from '../../../source/text/columns.ts';
import {draw} from '../support/drawn.tsx';
import {configuration, createCatalogueUser, createManagedRule, sampleRulesets, toRuleId} from './support.ts';

const sizes = [
	{columns: 60, rows: 15},
	{columns: 80, rows: 24},
	{columns: 200, rows: 60},
];
const {marks} = getTheme('none', true);

const rulesetsWithManyRules: readonly ManagedContents[] = [
	...sampleRulesets,
	{
		id: 'large',
		name: 'A ruleset with a name that is long',
		rules: Array.from({length: 648}, (_, at) =>
			createManagedRule(
				at + 10,
				`Rule ${at}: something in the body of a request that is described at length`,
			),
		),
	},
];

function drawCatalogue(request: Partial<CatalogueRequest>, size = {columns: 80, rows: 24}) {
	const user = createCatalogueUser();
	user.space.state().catalogue.open({
		title: 'Which rules to skip?',
		rulesets: sampleRulesets,
		pickMode: 'several',
		...request,
	});
	const screen = draw(user.app, <Catalogue />, size);
	return {...user, screen, until: (text: string) => screen.until(rows => rows.join('\n').includes(text))};
}

describe('the browser of managed rules', () => {
	test.each(
		sizes,
	)('at $columns×$rows shows the search, the counts, the rules and the details of one', async size => {
		const {screen, type, press, until} = drawCatalogue(
			{rulesets: rulesetsWithManyRules, configuration},
			size,
		);
		await until(
			size.columns < 80 ? '652 rules · all rulesets' : '652 rules, 1 off by default · all rulesets',
		);
		type('sql');
		await until('3 of 652 rules');
		press('end', 'ctrl-u');
		await until('652 rules');
		press('ctrl-end');
		await until(toRuleId(657));
		press('ctrl-home', 'ctrl-t');
		await until('1 selected');
		const rows = screen.rows();
		const text = rows.join('\n');
		expect(rows[0]).toContain('Which rules to');
		expect(rows[1]).toContain('/');
		expect(text).toContain('WordPress, SQLi');
		expect(text).toContain(toRuleId(1));
		expect(text).toMatch(size.columns < 100 ? /▸ ◆ WordPress.* block → log/ : /▸ ◆ WordPress.* block +log/);
		expect(text).toMatch(size.columns < 100 ? /DEFAULT → HERE/ : /TAGS +DEFAULT +HERE/);
		for (const row of rows) expect(measureColumns(row)).toBeLessThanOrEqual(size.columns);
		expect(rows.length).toBeLessThanOrEqual(size.rows - 4);
	});

	test('with 80 columns shows the details of a rule below the list', async () => {
		const {screen, until} = drawCatalogue({configuration});
		await until(toRuleId(1));
		expect(screen.rows().slice(-9)).toEqual([
			expect.stringMatching(/^ {3}─+$/),
			`   id           ${toRuleId(1)}`,
			'   name         WordPress, SQLi - Comments',
			'   does         block by default; here log, set by a rule override',
			'   tags         wordpress, sqli',
			'   ruleset      Managed Ruleset',
			'',
			'',
			'',
		]);
	});

	test('with 200 columns shows the details beside the list, with the selected rules below it', async () => {
		const {screen, until, press} = drawCatalogue({configuration}, {columns: 200, rows: 60});
		press('ctrl-t', 'down', 'ctrl-t');
		await until('2 rules selected');
		const rows = screen.rows();
		expect(rows[2]).toMatch(/NAME.*TAGS.*DEFAULT.*HERE +id +0+2/);
		const selectionHeadingIndex = rows.findIndex(row => row.includes('2 rules selected'));
		expect(rows[selectionHeadingIndex + 1]).toContain('WordPress, SQLi - Comments');
		expect(rows[selectionHeadingIndex + 2]).toContain('Drupal, XSS - Form');
	});

	test('with 80×24 names the selected rules above the details, where nothing cuts them', async () => {
		const {screen, until, press} = drawCatalogue({configuration}, {columns: 80, rows: 24});
		press('ctrl-t', 'down', 'ctrl-t');
		await until('2 rules selected');
		const rows = screen.rows();
		const headingIndex = rows.findIndex(row => row.includes('2 rules selected'));
		expect(rows.slice(headingIndex + 1, headingIndex + 4)).toEqual([
			expect.stringContaining('WordPress, SQLi - Comments'),
			expect.stringContaining('Drupal, XSS - Form'),
			expect.stringMatching(/^ +id/),
		]);
	});

	test('without a configuration shows no effect, and says that a rule is off by default', async () => {
		const {screen, until, type} = drawCatalogue({pickMode: 'one'}, {columns: 200, rows: 60});
		type('header');
		await until('1 of 4 rules');
		const text = screen.rows().join('\n');
		expect(text).not.toContain('HERE');
		expect(text).toMatch(/SQL injection in a header .*off \(managed challenge\)/);
		expect(text).toContain('off (managed challenge) by default');
	});

	test('names a ruleset that is not deployed or off as the reason', async () => {
		const disabledConfiguration = {rules: configuration.rules.map(one => ({...one, enabled: false}))};
		const first = drawCatalogue({configuration: disabledConfiguration});
		await first.until('block by default; off here because its ruleset is off');
		const undeployed = drawCatalogue({configuration, query: '942100'});
		await undeployed.until('score by default; its ruleset is not deployed here');
		expect(undeployed.screen.rows().join('\n')).toContain('not deployed');
	});

	test('reports an empty result with the possible search actions', async () => {
		const {type, until, press} = drawCatalogue({});
		type('zzz');
		await until('No managed rule matches "zzz".');
		await until('ctrl-u clears the search');
		await until('The search covers names and tags, such as sqli');
		press('ctrl-u', 'tab');
		type('f'.repeat(32));
		await until(`Managed Ruleset does not contain rule ${'f'.repeat(32)}.`);
		await until('tab searches other rulesets');
	});

	test('shows the position, the action of enter, and unsearched rulesets in the status line', () => {
		const {space: testStore, press} = drawCatalogue({verb: 'skip', pickMode: 'several'});
		const unread = 'Not searched, because they could not be read: Credentials Check.';
		expect(formatCatalogueStatus(testStore.state(), marks)).toBe(
			`rule 1 of 4   ⏎ skip this rule   ${unread}`,
		);
		press('alt-a');
		expect(formatCatalogueStatus(testStore.state(), marks)).toBe(`rule 1 of 4   ⏎ skip 4 rules   ${unread}`);
	});

	test('lists a marked id that is in no ruleset', async () => {
		const {until} = drawCatalogue({initialMarks: [toRuleId(99)]}, {columns: 200, rows: 60});
		await until(`${toRuleId(99)} is not in any of these`);
	});

	test('draws hostile names as text', async () => {
		const hostileRulesets: readonly ManagedContents[] = [
			{
				id: 'e',
				name: 'E\u001b[2J',
				rules: [createManagedRule(1, 'x\u001b]0;title\u0007\u202ey', {categories: ['\u009bt']})],
			},
		];
		const {screen, until} = drawCatalogue({rulesets: hostileRulesets});
		await until('1 rule');
		expect(screen.rows().join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u0080-\u009f\u202e]/);
	});
});
