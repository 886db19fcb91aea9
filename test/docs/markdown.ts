/** A table of GitHub's Markdown. */
export const formatDocsTable = (titles: readonly string[], rows: readonly (readonly string[])[]): string =>
	[titles, titles.map(() => '---'), ...rows]
		.map(cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`)
		.join('\n');

/** A page with new text between `<!-- name -->` and `<!-- end name -->`. Fails where the page lacks the marks. */
export function replaceSections(page: string, sections: Readonly<Record<string, string>>): string {
	let text = page;
	for (const [name, section] of Object.entries(sections)) {
		const [from, to] = [`<!-- ${name} -->`, `<!-- end ${name} -->`];
		const [start, end] = [text.indexOf(from), text.indexOf(to)];
		if (start === -1 || end < start) throw new Error(`The page has no place for "${name}".`);
		text = `${text.slice(0, start + from.length)}\n${section}\n${text.slice(end)}`;
	}
	return text;
}

/** The anchors of the headings of a page, as GitHub generates them. */
export function findAnchors(page: string): ReadonlySet<string> {
	const found = new Set<string>();
	for (const [, title = ''] of removeCode(page).matchAll(/^#{1,6} +(.+)$/gm)) {
		const anchor = title
			.toLowerCase()
			.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
			.trim()
			.replaceAll(/\s/g, '-');
		let name = anchor;
		for (let suffix = 1; found.has(name); suffix++) name = `${anchor}-${suffix}`;
		found.add(name);
	}
	return found;
}

/** Where the links and pictures of a page lead. */
export const findLinkTargets = (page: string): readonly string[] =>
	[...removeCode(page).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)].map(
		([, link, attribute]) => link ?? attribute ?? '',
	);

const removeCode = (page: string): string => page.replaceAll(/^```[\s\S]*?^```$/gm, '');
