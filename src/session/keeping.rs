//! How the page stands, as text for the tab's storage: `presenting,blank,chain,theme=dark,letters=off,drawer=log`.
//! Where the stage looks is part of the link.

use super::Look;
use super::action::{Drawer, Theme};
use core::fmt;

impl fmt::Display for Look {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [
            (self.presenting, "presenting"),
            (self.blank, "blank"),
            (self.whole_chain, "chain"),
            (!self.letter_keys, "letters=off"),
            (self.theme == Theme::Light, "theme=light"),
            (self.theme == Theme::Dark, "theme=dark"),
        ];
        let mut words: Vec<&str> = words.into_iter().filter_map(|(on, word)| on.then_some(word)).collect();
        words.extend(self.drawer.map(drawer_word));
        f.write_str(&words.join(","))
    }
}

const fn drawer_word(drawer: Drawer) -> &'static str {
    match drawer {
        Drawer::Script => "drawer=script",
        Drawer::Log => "drawer=log",
        Drawer::Numbers => "drawer=numbers",
        Drawer::Table => "drawer=table",
        Drawer::More => "drawer=more",
        Drawer::Keys => "drawer=keys",
        Drawer::Export => "drawer=export",
    }
}

impl Look {
    /// Reads that text. Words of another version of the page are passed over: nothing hangs on them.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let has = |word: &str| text.split(',').any(|part| part == word);
        let drawers =
            [Drawer::Script, Drawer::Log, Drawer::Numbers, Drawer::Table, Drawer::More, Drawer::Keys, Drawer::Export];
        Self {
            presenting: has("presenting"),
            blank: has("blank"),
            whole_chain: has("chain"),
            letter_keys: !has("letters=off"),
            theme: if has("theme=light") {
                Theme::Light
            } else if has("theme=dark") {
                Theme::Dark
            } else {
                Theme::System
            },
            drawer: drawers.into_iter().find(|drawer| has(drawer_word(*drawer))),
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_reads_back_as_it_was() {
        let looks = [
            Look::default(),
            Look { presenting: true, blank: true, theme: Theme::Dark, ..Look::default() },
            Look {
                whole_chain: true,
                letter_keys: false,
                theme: Theme::Light,
                drawer: Some(Drawer::Numbers),
                ..Look::default()
            },
        ];
        for look in looks {
            assert_eq!(Look::read(&look.to_string()), look);
        }
    }
}
