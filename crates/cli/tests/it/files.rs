use std::path::Path;

use crate::server::run;

async fn check_after(change: impl FnOnce(&Path)) -> (i32, String) {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("shop");
    run(&dir, &["init", dir.to_str().unwrap()]).await;
    change(&dir);
    let (code, _, errors) = run(&dir, &["check"]).await;
    let (served, _, serve_errors) = run(&dir, &["serve", "--listen", "127.0.0.1:0"]).await;
    assert_eq!(served, 1, "a folder that is not sound is not served");
    assert!(
        serve_errors.contains(errors.trim().trim_start_matches("toolcrib: ")),
        "{serve_errors}"
    );
    (code, errors)
}

#[tokio::test]
async fn a_sound_folder_is_sound() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("shop");
    run(&dir, &["init", dir.to_str().unwrap()]).await;
    let (code, output, errors) = run(&dir, &["check"]).await;
    assert_eq!(code, 0, "{errors}");
    assert!(
        output.contains("5 data models, 1 agents, 1 saved queries"),
        "{output}"
    );
}

#[tokio::test]
async fn an_error_in_a_file_names_file_line_and_column() {
    let (code, errors) = check_after(|dir| {
        let path = dir.join("models/order.yaml");
        let text = std::fs::read_to_string(&path)
            .unwrap()
            .replace("versioned: true", "versionned: true");
        std::fs::write(&path, text).unwrap();
    })
    .await;
    assert_eq!(code, 1);
    assert!(
        errors.contains("models/order.yaml:5:1") && errors.contains("versionned"),
        "{errors}"
    );

    let (_, errors) = check_after(|dir| {
        let path = dir.join("agents/shop.md");
        let text = std::fs::read_to_string(&path)
            .unwrap()
            .replace("max_steps: 20", "max_steps: many");
        std::fs::write(&path, text).unwrap();
    })
    .await;
    assert!(errors.contains("agents/shop.md:"), "{errors}");

    let (_, errors) = check_after(|dir| {
        std::fs::write(dir.join("toolcrib.toml"), "[server]\n\nlissten = \"x\"\n").unwrap();
    })
    .await;
    assert!(
        errors.contains("toolcrib.toml:3:1") && errors.contains("lissten"),
        "{errors}"
    );
}

#[tokio::test]
async fn settings_of_the_language_model_are_checked_at_their_line() {
    for (text, place, words) in [
        (
            "[language_model]\nprovider = \"opneai\"\n",
            "toolcrib.toml:2:1",
            "\"opneai\" is no provider; there are openai,",
        ),
        (
            "[language_model]\n\n[language_model.capabilities]\ntool = false\n",
            "toolcrib.toml:3:1",
            "unknown field `tool`",
        ),
        (
            "[language_model.capabilities]\ntools = \"no\"\n",
            "toolcrib.toml:1:1",
            "boolean",
        ),
    ] {
        let (code, errors) = check_after(|dir| {
            std::fs::write(dir.join("toolcrib.toml"), text).unwrap();
        })
        .await;
        assert_eq!(code, 1, "{text}");
        assert!(errors.contains(place) && errors.contains(words), "{errors}");
    }
}

#[tokio::test]
async fn every_problem_in_every_file_is_told_at_once() {
    let (_, errors) = check_after(|dir| {
        std::fs::write(dir.join("models/order.yaml"), "name: [").unwrap();
        std::fs::write(
            dir.join("models/broken.yaml"),
            "name: broken\nfields: { x: { type: strng } }\n",
        )
        .unwrap();
        std::fs::write(dir.join("agents/empty.md"), "no front matter").unwrap();
    })
    .await;
    for file in [
        "models/order.yaml:",
        "models/broken.yaml:",
        "agents/empty.md:1:1",
    ] {
        assert!(errors.contains(file), "{file} is missing in {errors}");
    }
}

#[tokio::test]
async fn an_agent_is_checked_beyond_its_shape() {
    for (old, new, said) in [
        (
            "  - read_record",
            "  - read_recrod",
            "there is no tool `read_recrod`, did you mean `read_record`",
        ),
        ("max_steps: 20", "max_steps: 0", "max_steps is at least 1"),
        (
            "max_steps: 20",
            "temperature: 99",
            "temperature is between 0 and 2",
        ),
    ] {
        let (code, errors) = check_after(|dir| {
            let path = dir.join("agents/shop.md");
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(text.contains(old));
            std::fs::write(&path, text.replacen(old, new, 1)).unwrap();
        })
        .await;
        assert_eq!(code, 1);
        assert!(
            errors.contains("agents/shop.md:") && errors.contains(said),
            "{errors}"
        );
    }
    let (_, errors) = check_after(|dir| {
        std::fs::rename(dir.join("agents/shop.md"), dir.join("agents/Bad Name.md")).unwrap();
    })
    .await;
    assert!(errors.contains("agents/Bad Name.md:1:1"), "{errors}");
}

#[tokio::test]
async fn a_workspace_that_is_no_sample_is_nobodys_shop() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("acme");
    run(&dir, &["init", dir.to_str().unwrap()]).await;
    std::fs::remove_file(dir.join("data/sample")).unwrap();
    let (code, output, errors) = run(&dir, &["call", "current_user"]).await;
    assert_eq!(code, 0, "{errors}");
    assert!(output.contains("admin@localhost"), "{output}");
    let (_, output, _) = run(&dir, &["call", "search_records", "--arg", "model=order"]).await;
    assert!(output.contains("\"total\": 0"), "no sample rows: {output}");
}
