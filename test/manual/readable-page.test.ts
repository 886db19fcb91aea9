import {beforeAll, describe, expect, test} from 'vitest';
import {createProgram} from '../../source/commands/program.ts';
import {exitCodes} from '../../source/failure.ts';
import {listDescribedCommands} from '../../source/manual/command-tree.ts';
import {buildManPages} from '../../source/manual/pages.ts';
import {renderManPage} from '../../source/manual/readable-page.ts';
import {ledge} from '../support/run.ts';

let pages: Readonly<Record<string, string>>;
let commands: ReturnType<typeof listDescribedCommands>;
beforeAll(async () => {
	const {program} = await createProgram();
	commands = listDescribedCommands(program);
	pages = buildManPages({program, version: '0.0.0-test', exitCodes});
});

const squeezeSpaces = (text: string): string => text.replaceAll(/\s+/g, ' ');

test.each([40, 80, 100])('at %i columns every command appears, without roff escapes', columns => {
	const text = Object.values(pages)
		.map(page => renderManPage(page, columns))
		.join('\n');
	for (const {usage, options, example} of commands) {
		expect(text).toContain(usage);
		expect(text).toContain(example);
		for (const {flags, meaning} of options) {
			expect(text).toContain(`       ${flags}\n`);
			expect(squeezeSpaces(text)).toContain(squeezeSpaces(`${flags} ${meaning.replaceAll('`', '')}`));
		}
	}
	expect(text).not.toMatch(/\\(f[BIR]|-|&|e|\(dq|\[u)/);
	expect(text).not.toMatch(/\n\n\n/);
});

test('paragraphs, tags, indents and verbatim text are rendered', () => {
	const page = [
		'.TH "LEDGE" 1 "" "ledge 1" "ledge"',
		'.SH "NAME"',
		String.raw`ledge \- one two`,
		'three four',
		'.TP',
		String.raw`\fB\-\-at\fR \fI<n>\fR`,
		String.raw`\&.five \[u2026] \(dqsix\(dq \eseven`,
		'.PP',
		'Example:',
		'.RS 4',
		'.nf',
		'a  b',
		'',
		'  c',
		'.fi',
		'.RE',
		'',
	].join('\n');
	expect(renderManPage(page, 24)).toBe(
		[
			'LEDGE(1)  ledge 1',
			'',
			'NAME',
			'       ledge - one two',
			'       three four',
			'',
			'       --at <n>',
			'              .five …',
			'              "six"',
			String.raw`              \seven`,
			'',
			'       Example:',
			'           a  b',
			'',
			'             c',
			'',
		].join('\n'),
	);
});

test('a request that no page uses is refused', () => {
	expect(() => renderManPage('.so /etc/passwd\n', 80)).toThrow('Unknown man page request so');
});

describe('ledge man', () => {
	test('prints the page of ledge or of one area in lines of 80 columns', async () => {
		const {code, stdout} = await ledge(['man']);
		expect(code).toBe(0);
		expect(stdout).toMatch(/^LEDGE\(1\) /);
		expect((await ledge(['man', 'migration'])).stdout).toMatch(/^LEDGE-MIGRATION\(1\) /);
	});

	test('prints the source with --roff', async () => {
		const {stdout} = await ledge(['man', 'kv', '--roff']);
		expect(stdout).toBe(pages['ledge-kv.1']?.replace('0.0.0-test', LEDGE_VERSION));
	});

	test('refuses other page names', async () => {
		const {code, stderr} = await ledge(['man', 'nothing']);
		expect(code).toBe(2);
		expect(stderr).toContain('kv, firewall, migration');
	});
});

test('ledge licenses prints the licences shipped with ledge', async () => {
	expect(await ledge(['licenses'])).toMatchObject({code: 0, stdout: 'any 1.0.0 (MIT)\n'});
});
