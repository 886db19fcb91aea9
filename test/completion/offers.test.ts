import {describe, expect, test} from 'vitest';
import {buildCompletionTree} from '../../source/commands/completion-tree.ts';
import {createProgram} from '../../source/commands/program.ts';
import {answerCompletion} from '../../source/completion/answer.ts';
import type {CompletionSources} from '../../source/completion/offers.ts';
import type {TreeNode} from '../../source/completion/tree.ts';

const tree = buildCompletionTree((await createProgram()).program);

const sources: CompletionSources = {
	accounts: async () => [{id: 'a1', name: 'Acme'}],
	bindings: async () => [
		{binding: 'CONFIG', id: 'id1', hasPreview: true},
		{binding: 'SESSIONS', id: 'id2', hasPreview: false},
	],
	contexts: async () => ['production', 'work'],
	environments: async () => ['staging'],
	jobs: async () => [{id: 'k3v9x2mp', about: 'bulk put'}],
	namespaces: async where =>
		where === 'simulated'
			? [{id: 's1', name: 'simulated title'}]
			: [
					{id: 'n1', name: 'my: title'},
					{id: 'n2', name: '$(touch X)'},
					{id: 'n3', name: 'bad\u001b[2J'},
				],
	zones: async () => [{id: 'z1', name: 'acme.example'}],
	files: prefix => ['data.json', 'folder/'].filter(path => path.startsWith(prefix)),
};

/** The first line of the answer (its kind), and the words of the other lines without their descriptions. */
async function getAnswerWords(...words: readonly string[]): Promise<readonly string[]> {
	const lines = (await answerCompletion(['zsh', ...words], tree, () => sources)).split('\n').slice(0, -1);
	return lines.map(line => line.split('\t', 1)[0] ?? '');
}

describe('completion', () => {
	test.each([
		['mig', ['words', 'migration']],
		['kv key ', ['words', 'put', 'list', 'get', 'delete', 'rename', 'copy', 'edit', 'history']],
		['kv:key g', ['words', 'get']],
		['--simulate --zone acme.example kv key g', ['words', 'get']],
		['kv key list --format ', ['words', 'json', 'ndjson', 'table']],
		['kv key list --format=t', ['words', '--format=table']],
		['kv key list --binding S', ['words', 'SESSIONS']],
		['kv key list --namespace-id ', ['words', 'n1', 'n2', 'n3']],
		['kv namespace delete ', ['words', 'my: title', '$(touch X)']],
		['kv namespace create X --binding ', ['words']],
		['kv key list --context w', ['words', 'work']],
		['kv key list --env ', ['words', 'staging']],
		['rules list --zone ', ['words', 'acme.example']],
		['rules resume id --confirm ', ['words', 'acme.example']],
		['rules list --zone-id ', ['words', 'z1']],
		['jobs resume ', ['words', 'k3v9x2mp']],
		['jobs ', ['words', 'list', 'resume', 'forget']],
		['context use ', ['words', 'production', 'work']],
		['context add ', ['words']],
		['kv bulk put ', ['files']],
		['kv key put k --path ', ['files']],
		['kv key put k --path=', ['files']],
		['kv key get k --persist-to ', ['folders']],
		['migration plan ', ['files']],
		['kv copy ', ['open', 'remote:', 'preview:', 'local:', 'simulated:', 'file:']],
		['kv copy preview:', ['words', 'preview:CONFIG']],
		['kv copy simulated:', ['words', 'simulated:simulated title']],
		['kv copy file:', ['words', 'file:data.json', 'file:folder/']],
		['kv copy file:f', ['open', 'file:folder/']],
		['firewall rule create --products waf,b', ['open', 'waf,bic']],
		['firewall rule create --products waf,w', ['words']],
		['firewall explain --phase man', ['words', 'managed']],
		['firewall lint ', ['files']],
		['firewall lint rules.yaml --deny ', ['words', 'error', 'warning', 'hint']],
		['firewall lint --sarif ', ['files']],
		['managed edit --on o', ['words', 'owasp']],
		['completion ', ['words', 'bash', 'zsh', 'fish']],
		['kv key get ', ['words']],
		['kv key put k v ', ['words']],
		['rules delete a b ', ['words']],
		['kv nothing ', ['words']],
		['kv key list -- --for', ['words']],
	])('after: %s', async (line, expected) => {
		expect(await getAnswerWords(...line.split(' '))).toEqual(expected);
	});

	test('offers an option until it is given, and a repeatable one always', async () => {
		const firstOffer = await getAnswerWords('kv', 'key', 'list', '--');
		expect(firstOffer).toContain('--format');
		expect(firstOffer).toContain('--env-file');
		const laterOffer = await getAnswerWords('kv', 'key', 'list', '--format', 'json', '--env-file', 'a', '--');
		expect(laterOffer).not.toContain('--format');
		expect(laterOffer).toContain('--env-file');
		expect(laterOffer).not.toContain('--');
		expect(await getAnswerWords('kv', 'key', 'get', 'k', '-o', 'f', '--out')).toEqual(['words']);
	});

	test('does not offer an alternative to a given option', async () => {
		const offered = await getAnswerWords('kv', 'key', 'list', '--binding', 'CONFIG', '--local', '--');
		expect(offered).not.toContain('--namespace-id');
		expect(offered).not.toContain('--remote');
	});

	test('does not offer hidden options, but understands them', async () => {
		const offered = await getAnswerWords('kv', 'key', 'list', '--no');
		expect(offered).toEqual(['words']);
		expect(await getAnswerWords('kv', 'key', 'list', '--no-preview', '--format', 't')).toEqual([
			'words',
			'table',
		]);
	});

	test('knows the options of all commands, and which of them take a value', () => {
		const countOptions = (node: TreeNode): number =>
			(node.options ?? []).length +
			Object.values(node.commands ?? {}).reduce((sum, child) => sum + countOptions(child), 0);
		expect(countOptions(tree)).toBeGreaterThan(200);
		expect(tree.globalOptions.find(({names}) => names.includes('--zone'))?.value).toBe('zone');
		expect(tree.globalOptions.find(({names}) => names.includes('--json'))?.value).toBeUndefined();
	});
});

describe('the answer to each shell', () => {
	const line = 'ledge kv namespace delete ';
	const answerBash = (completionType: string, text: string) =>
		answerCompletion(['bash', completionType, ' "\'@><=;|&(:', text], tree, () => sources);

	test('for bash is quoted as the typed word, without the part that bash keeps', async () => {
		expect(await answerBash('9', `${line}m`)).toBe('words\nmy:\\ title\n');
		expect(await answerBash('9', `${line}my:`)).toBe('words\n\\ title\n');
		expect(await answerBash('9', `${line}"my`)).toBe('words\nmy: title\n');
		expect(await answerBash('9', `${line}$`)).toBe('words\n\\$\\(touch\\ X\\)\n');
		expect(await answerBash('9', `${line}'$`)).toBe('words\n$(touch X)\n');
		expect(await answerBash('9', `${line}"\\$`)).toBe('words\n\\$(touch X)\n');
		expect(await answerBash('9', 'ledge kv key list --format=t')).toBe('words\ntable\n');
	});

	test('for bash explains ids only while it lists them (COMP_TYPE 63, not 9)', async () => {
		const ids = 'ledge kv key list --namespace-id ';
		expect(await answerBash('9', ids)).toBe('words\nn1\nn2\nn3\n');
		expect(await answerBash('63', ids)).toBe('words\nn1  my: title\nn2  $(touch X)\nn3  bad\\x1b[2J\n');
	});

	test('for fish is the plain word, whatever quotes it was typed in', async () => {
		const answerFish = (word: string) =>
			answerCompletion(['fish', 'kv', 'namespace', 'delete', word], tree, () => sources);
		for (const word of ['my', "'my: ", '"my: t', 'my:\\ t', "'my: title'"])
			expect(await answerFish(word)).toBe('words\nmy: title\tn1\n');
	});

	test('for an unknown shell is empty', async () => {
		expect(await answerCompletion(['csh', 'kv', ''], tree, () => sources)).toBe('');
	});
});
