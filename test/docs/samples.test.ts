import {execFileSync} from 'node:child_process';
import {cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {readPage} from './pages.ts';

/** A sample of a page: a new file, or lines added to one, whose path is in its first line. */
type Sample = {readonly path: string; readonly language: string; readonly lines: readonly string[]};

/** Reads the samples that name a path, without the indent of their list. */
const readSamples = (page: string): readonly Sample[] =>
	[...page.matchAll(/^( *)```(tsx?|diff)\n\1\/\/ (\S+)\n([\s\S]*?)^\1```$/gm)].map(
		([, indent = '', language = '', path = '', text = '']) => ({
			path,
			language,
			lines: text.split('\n').map(line => line.slice(indent.length)),
		}),
	);

/** Adds the lines that begin with `+` after the line of context before them, which must occur once. */
function applyAdditions(text: string, {path, lines}: Sample): string {
	const result = text.split('\n');
	let index = -1;
	for (const line of lines.filter(line => line !== '')) {
		if (line.startsWith('+')) {
			result.splice(++index, 0, line.slice(1));
			continue;
		}
		const context = line.slice(1);
		if (result[index + 1] === context) index++;
		else {
			index = result.indexOf(context);
			if (index === -1 || result.lastIndexOf(context) !== index)
				throw new Error(`${path} must have this line of docs/architecture.md once: ${context.trim()}`);
		}
	}
	return result.join('\n');
}

/** Applies samples to a copy of the source, and returns what the compiler reports. */
function compileSamples(samples: readonly Sample[]): string {
	mkdirSync('build', {recursive: true});
	const folder = mkdtempSync('build/samples-');
	try {
		cpSync('source', join(folder, 'source'), {recursive: true});
		for (const sample of samples) {
			const file = join(folder, sample.path);
			mkdirSync(dirname(file), {recursive: true});
			const text =
				sample.language === 'diff'
					? applyAdditions(readFileSync(file, 'utf8'), sample)
					: sample.lines.join('\n');
			writeFileSync(file, text);
		}
		writeFileSync(
			join(folder, 'tsconfig.json'),
			JSON.stringify({extends: '../../tsconfig.json', include: ['source']}),
		);
		const tsc = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
		execFileSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {encoding: 'utf8'});
		return '';
	} catch (cause) {
		if (typeof (cause as {stdout?: unknown}).stdout !== 'string') throw cause;
		return (cause as {stdout: string}).stdout.replaceAll(folder, '');
	} finally {
		rmSync(folder, {recursive: true});
	}
}

test('the samples of docs/architecture.md compile', () => {
	const samples = readSamples(readPage('docs/architecture.md'));
	expect(samples.map(({path}) => path)).toContain('source/commands/kv/count.ts');
	expect(compileSamples(samples)).toBe('');
});

test('a sample that does not compile is found', () => {
	const page = "```ts\n// source/text/planted.ts\nexport const count: number = '';\n```\n";
	expect(compileSamples(readSamples(page))).toContain('source/text/planted.ts(1,14): error TS2322');
});
