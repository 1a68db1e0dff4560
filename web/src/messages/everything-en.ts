// The words of export and import of everything, which are loaded with the settings. English.
export const everythingEn = {
  'everything.title': 'Your data',
  'everything.lead':
    'Games with their reports, puzzles, ratings, exercises and settings as one file: for another device, or to be safe.',
  'everything.export': 'Export everything',
  'everything.import': 'Import such a file',
  'everything.settings': 'Take its settings, too',
  'everything.reading': 'Reading: {finished} of {total}',
  'everything.done': 'The file is joined with what was here. Games: {added} new, {known} known.',
  'everything.parted': 'Games that went on differently here and in the file: {count}. Both are kept.',
  'everything.broken': 'Parts of the file that cannot be read and are left out: {count}.',
  'everything.show': 'Show it',
  'everything.none':
    'This file is no export of everything. Games in PGN are imported in My games, puzzles on the page of their progress.',
  'everything.newer': 'A later version of this page has written the file. Load the page again, then import it.',
  'everything.tooLarge': 'The file is larger than {size} MB.',
  'everything.refused': 'The browser refuses to store it all. Nothing that was here is lost.',
};

export type EverythingKey = keyof typeof everythingEn;
